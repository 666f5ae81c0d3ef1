//! A judging that several workers make at once: what they are told (`judging/judging.json` in the
//! run's folder), which of all questions each of them asks, and how their answers come into the
//! workspace.

use super::questions::JudgeQuestions;
use crate::Scoring;
use crate::options::{
    AggregateChoice, EvaluateOptions, FailedVerdicts, Formats, JudgeChoice, RunChoice, SpendingCaps,
};
use crate::scoring::evaluation::evaluation_options;
use crate::scoring::run::Run;
use crate::wire::WireError;
use koab_core::cache_key::sha256_hex;
use koab_core::judge::Verdict;
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::files::if_there;
use koab_engine::judging::{Ballot, ballots};
use koab_models::LocalSettings;
use koab_store::verdict_shards::{self, JUDGING, JudgesSpent, ShardVerdicts, VerdictLine};
use koab_store::verdicts::VerdictKey;
use koab_store::{Error as StoreError, atomic};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Name of the file that says what workers are told.
pub(crate) const SETTING: &str = "judging.json";

/// What workers of a judging are told. Keys are in their environment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct JudgingSetting {
    /// A hash of all questions: a worker that finds others asks nothing.
    pub(crate) plan: String,
    /// Answers that are needed.
    pub(crate) total: u32,
    pub(crate) judges: Vec<String>,
    pub(crate) base_url: Option<String>,
    votes: u32,
    median: bool,
    scorers: Vec<Protocol>,
    levels: Vec<Level>,
    sample: Option<usize>,
    all_metrics: bool,
    formats: [bool; 3],
    first_repetition: bool,
    pub(crate) max_cost: Option<f64>,
    pub(crate) max_total_tokens: Option<u64>,
    /// What earlier submissions have taken.
    pub(crate) spent: JudgesSpent,
    /// Calls in flight, all workers together.
    pub(crate) concurrency: Option<u32>,
    /// Where the reports go.
    pub(crate) reports: PathBuf,
}

impl JudgingSetting {
    pub(crate) fn new(options: &EvaluateOptions, plan: &JudgingPlan, reports: PathBuf) -> Self {
        let Formats { json, csv, markdown } = options.formats;
        Self {
            plan: plan.hash.clone(),
            total: plan.ballots.len() as u32,
            judges: plan.judges.clone(),
            base_url: plan.base_url.clone(),
            votes: options.votes,
            median: options.aggregate == AggregateChoice::Median,
            scorers: options.scorers.clone(),
            levels: options.levels.clone(),
            sample: options.sample,
            all_metrics: options.all_metrics,
            formats: [json, csv, markdown],
            first_repetition: options.first_repetition,
            max_cost: options.caps.max_cost,
            max_total_tokens: options.caps.max_total_tokens,
            spent: JudgesSpent::default(),
            concurrency: options.concurrency,
            reports,
        }
    }

    /// The setting of the judging of the run in this folder, when there is one.
    ///
    /// # Errors
    /// When the file is there and cannot be read as one.
    pub(crate) fn read(run: &Path) -> Result<Option<Self>, WireError> {
        let path = run.join(JUDGING).join(SETTING);
        let read = if_there(std::fs::read(&path)).map_err(|error| WireError::unreadable(&path, error))?;
        let Some(text) = read else {
            return Ok(None);
        };
        serde_json::from_slice(&text).map(Some).map_err(|error| {
            WireError::storage(say!("{} cannot be read: {error}; move it away", path.display()))
        })
    }

    pub(crate) fn write(&self, judging: &Path) -> Result<(), WireError> {
        let text = serde_json::to_vec_pretty(self).map_err(WireError::internal)?;
        Ok(atomic::write(&judging.join(SETTING), &text)?)
    }

    /// The scoring that it is of.
    pub(crate) fn options(&self, run: &Path) -> EvaluateOptions {
        let [json, csv, markdown] = self.formats;
        EvaluateOptions {
            levels: self.levels.clone(),
            judges: JudgeChoice::Models { ids: self.judges.clone(), base_url: self.base_url.clone() },
            votes: self.votes,
            aggregate: match self.median {
                true => AggregateChoice::Median,
                false => AggregateChoice::Mean,
            },
            scorers: self.scorers.clone(),
            all_metrics: self.all_metrics,
            sample: self.sample,
            formats: Formats { json, csv, markdown },
            first_repetition: self.first_repetition,
            concurrency: self.concurrency,
            caps: SpendingCaps {
                max_cost: self.max_cost,
                max_total_tokens: self.max_total_tokens,
                ..SpendingCaps::default()
            },
            ..EvaluateOptions::published(RunChoice::Run(run.display().to_string()))
        }
    }
}

/// Forgets what workers were told and have answered.
pub(crate) fn remove(run: &Path) -> Result<(), WireError> {
    let folder = run.join(JUDGING);
    std::fs::remove_dir_all(&folder)
        .map_err(|error| WireError::storage(say!("{} cannot be removed: {error}", folder.display())))
}

/// All questions of a scoring, each once, whichever scorer asks it.
pub(crate) struct JudgingPlan {
    pub(crate) judges: Vec<String>,
    pub(crate) base_url: Option<String>,
    /// By scorer.
    pub(crate) asked: Vec<JudgeQuestions>,
    /// Place of the scorer and what is asked; their numbers are what shards are cut by.
    pub(crate) ballots: Vec<(usize, Ballot)>,
    pub(crate) hash: String,
}

impl JudgingPlan {
    pub(crate) fn key(&self, number: usize) -> [String; 3] {
        let (scorer, ballot) = self.ballots[number];
        self.asked[scorer].owned_key(ballot, &self.judges[ballot.judge])
    }

    /// The line of an answer.
    pub(crate) fn line(
        &self,
        number: usize,
        verdict: &Verdict,
        spent: JudgesSpent,
    ) -> Result<VerdictLine, WireError> {
        let [question, judge, version] = self.key(number);
        Ok(VerdictLine {
            number: number as u32,
            question,
            judge,
            version,
            verdict: serde_json::to_value(verdict).map_err(WireError::internal)?,
            failed: verdict.failure().is_some(),
            spent,
        })
    }
}

/// What workers have answered, taken into the workspace.
pub(crate) struct MergedVerdicts {
    /// Answers that are needed.
    pub(crate) total: u32,
    /// Answers that are there, failures among them.
    pub(crate) done: u32,
    /// Judges that gave none.
    pub(crate) failed: FailedVerdicts,
    /// Answers that two starts gave.
    pub(crate) doubled: u32,
    /// What is wrong with their files.
    pub(crate) damaged: Vec<Sentence>,
}

impl Scoring {
    /// All questions of a scoring by these judges.
    pub(crate) fn judging_plan(
        &self,
        run: &Run,
        options: &EvaluateOptions,
        ids: &[String],
        base_url: Option<&str>,
    ) -> Result<JudgingPlan, WireError> {
        let dataset = self.library.dataset(run)?;
        let mut plan = JudgingPlan {
            judges: ids.to_vec(),
            base_url: base_url.map(str::to_owned),
            asked: Vec::new(),
            ballots: Vec::new(),
            hash: String::new(),
        };
        let (mut seen, mut keys) = (HashSet::new(), String::new());
        for (place, scorer) in options.scorers.iter().enumerate() {
            let mut evaluation = evaluation_options(options, run, *scorer);
            evaluation.panel.judges = ids.to_vec();
            let asked =
                self.library.questions(run, &dataset, &evaluation, base_url, &LocalSettings::default())?;
            for ballot in ballots(&asked.questions, ids.len()) {
                let key = asked.owned_key(ballot, &ids[ballot.judge]);
                if !seen.contains(&key) {
                    keys.push_str(&key.join(" "));
                    keys.push('\n');
                    plan.ballots.push((place, ballot));
                    seen.insert(key);
                }
            }
            plan.asked.push(asked);
        }
        plan.hash = sha256_hex(&keys);
        Ok(plan)
    }

    /// Takes into the workspace what workers have answered about a run; `None` where none were to.
    ///
    /// # Errors
    /// When a file is of other questions, or the disk refuses.
    pub(crate) fn take_verdicts(&self, run: &Path) -> Result<Option<MergedVerdicts>, WireError> {
        let Some(setting) = JudgingSetting::read(run)? else {
            return Ok(None);
        };
        let ShardVerdicts { lines, doubled, damaged, .. } =
            verdict_shards::read(&run.join(JUDGING), &setting.plan)?;
        let store = self.workspace.store()?;
        let mut failed = FailedVerdicts::new();
        // A number beyond them is no answer to any of these questions.
        let lines = lines.into_iter().take_while(|(number, _)| *number < setting.total);
        let mut done = 0;
        for (_, line) in lines {
            done += 1;
            let key = VerdictKey {
                question_hash: &line.question,
                judge: &line.judge,
                prompt_version: &line.version,
            };
            if !line.failed {
                store.keep_verdict(key, &line.verdict)?;
                continue;
            }
            let verdict: Verdict = serde_json::from_value(line.verdict)
                .map_err(|error| StoreError::BadFile(error.to_string().into()))?;
            if let Some(reason) = verdict.failure() {
                store.keep_verdict_failure(key, reason)?;
            }
            failed.insert([line.question, line.judge, line.version], verdict);
        }
        Ok(Some(MergedVerdicts { total: setting.total, done, failed, doubled: doubled as u32, damaged }))
    }
}

#[cfg(test)]
mod tests;
