//! Determines the judges: the requested ones, otherwise those of the run's last scoring, otherwise
//! the default panel. Also checks whether the judges can be called.

use crate::Scoring;
use koab_core::judge::JudgePrompts;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::budget::Budget;
use koab_engine::egress::Purpose;
use koab_library::DefaultJudge;
use koab_library::evaluation::evaluation_options;
use koab_library::options::{EvaluateOptions, JudgeChoice};
use koab_library::run::Run;
use koab_models::SpendingCaps;
use koab_models::local_models::LocalSettings;
use koab_report::{Dataset, questions};
use koab_workspace::WireError;

/// The default panel (`docs/spec/metrics.md` §4: one GPT-4o, one Claude Sonnet 4.5, one Gemini 2.5
/// Pro), each judge with the key that it needs.
const DEFAULT_PANEL: [(&str, &str); 3] = [
    ("openai/gpt-4o", "OPENAI_API_KEY"),
    ("anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
    ("gemini/gemini-2.5-pro", "GEMINI_API_KEY"),
];

impl Scoring {
    /// Returns the judges of the default panel, and whether their keys are present. The user is not
    /// asked to unlock a key store.
    ///
    /// # Errors
    /// When the keys cannot be listed.
    pub async fn judges_default(&self) -> Result<Vec<DefaultJudge>, WireError> {
        let keys = self.keys.list().await?.keys;
        let judge = |(id, key): (&str, &str)| DefaultJudge {
            id: id.to_owned(),
            key: key.to_owned(),
            present: keys.iter().any(|row| row.name == key && row.present),
        };
        Ok(DEFAULT_PANEL.map(judge).into())
    }

    /// Returns the judges of a run: the requested ones, otherwise those of its last scoring,
    /// otherwise the default panel if all its keys are present.
    ///
    /// Without these, no judge is called, and the result has a sentence with the reason. A part of
    /// the panel would be another measure, so the user must request it explicitly.
    ///
    /// # Errors
    /// Every error of [`Scoring::judges_default`].
    pub async fn judges_chosen(
        &self,
        options: &EvaluateOptions,
        run: &str,
    ) -> Result<(JudgeChoice, LocalSettings, Option<Sentence>), WireError> {
        let local = options.judge_local.clone();
        if let JudgeChoice::Models { ids, base_url } = &options.judges {
            let (ids, base_url) = self.models.resolve_judges(ids, base_url.as_deref())?;
            return Ok((JudgeChoice::Models { ids, base_url }, local, None));
        }
        if options.judges != JudgeChoice::Default {
            return Ok((options.judges.clone(), local, None));
        }
        if let Some(kept) = self.judges_remembered(run)? {
            let choice = JudgeChoice::Models { ids: kept.judges, base_url: kept.judge_base_url };
            return Ok((choice, kept.judge_local.unwrap_or_default(), None));
        }
        let panel = self.judges_default().await?;
        let missing: Vec<&str> =
            panel.iter().filter(|judge| !judge.present).map(|judge| judge.key.as_str()).collect();
        let ids = panel.iter().map(|judge| judge.id.clone()).collect();
        if missing.is_empty() {
            return Ok((JudgeChoice::Models { ids, base_url: None }, local, None));
        }
        let sentence = say!(
            "no judge was asked: the default panel ({}) has no {}; store it with `koab keys set`, or name judges with --judge-models",
            panel.iter().map(|judge| judge.id.as_str()).collect::<Vec<_>>().join(", "),
            missing.join(", "),
        );
        Ok((JudgeChoice::Nobody, local, Some(sentence)))
    }

    /// Returns the judges like [`Scoring::judges_chosen`]. If no judges are requested, a run of
    /// another benchmark without questions to judges gets no judges.
    pub(crate) async fn judges_for(
        &self,
        options: &EvaluateOptions,
        run: &Run,
        dataset: &Dataset,
    ) -> Result<(JudgeChoice, LocalSettings, Option<Sentence>), WireError> {
        let asks_nobody = |scorer: &Protocol| {
            let options = evaluation_options(options, run, *scorer);
            questions(&run.logs, dataset, &JudgePrompts::none(), &options).is_empty()
        };
        if options.judges == JudgeChoice::Default
            && dataset.is_of_items()
            && options.scorers.iter().all(asks_nobody)
        {
            return Ok((JudgeChoice::Nobody, options.judge_local.clone(), None));
        }
        self.judges_chosen(options, &run.entry.id).await
    }

    /// Checks whether these judges can be called, before anything is spent.
    ///
    /// # Errors
    /// One sentence about the first judge that cannot be called.
    pub async fn check_judges(
        &self,
        ids: &[String],
        base_url: Option<&str>,
        local: &LocalSettings,
    ) -> Result<(), WireError> {
        self.models.check_models(ids, base_url, local, Purpose::Judge).await
    }

    /// Rejects caps that cannot be enforced for these judges.
    ///
    /// # Errors
    /// When a cap is an amount of money and the price of a judge is not known.
    pub fn check_judge_caps(&self, ids: &[String], caps: &SpendingCaps) -> Result<(), WireError> {
        self.models.check_caps(ids, caps)
    }

    /// Creates the budget of a scoring's judges. Their spending also counts against the workspace's
    /// caps for the day.
    pub(crate) fn judges_budget(
        &self,
        run: &Run,
        options: &EvaluateOptions,
        ids: &[String],
    ) -> Result<Budget, WireError> {
        self.models.check_caps(ids, &options.caps)?;
        self.models.shared_budget(&format!("judges of {}", run.entry.id), &options.caps)
    }
}
