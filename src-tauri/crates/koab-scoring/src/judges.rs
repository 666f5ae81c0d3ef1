//! Asks judges the questions without an answer, within the judges' caps.

use super::asking::Asking;
use super::judge_answers::{JudgeAnswers, give_out};
use super::judge_context::JudgeContext;
use super::judge_notes::{failed_judges, precision_note, same_maker_notes, stopped};
use crate::Scoring;
use koab_core::address;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::budget::Budget;
use koab_engine::egress::Purpose;
use koab_engine::judging::{self, PanelJudge};
use koab_engine::ports::Cancel;
use koab_engine::retry::RetryPolicy;
use koab_models::LocalUse;
use koab_models::local_models::LocalSettings;
use koab_workspace::WireError;
use std::time::Duration;

/// Maximum number of concurrent questions to judges.
const JUDGE_CONCURRENCY: u32 = 8;
/// Seconds that a judge may take for an answer, as published.
const JUDGE_TIMEOUT_S: u64 = 60;
/// Seconds that a judge on this computer may take for an answer. Such a judge reads a long question
/// at some tens of tokens per second.
const LOCAL_JUDGE_TIMEOUT_S: u64 = 900;

/// Share of a process in the concurrent calls to judges.
#[derive(Clone, Copy)]
pub(crate) struct Share {
    /// Maximum number of concurrent calls of all processes together; `None` means the default.
    pub(crate) in_flight: Option<u32>,
    /// Number of processes that call judges at the same time.
    pub(crate) workers: u32,
}

impl Share {
    /// Share of a process that asks alone. It has all concurrent calls.
    const WHOLE: Self = Self { in_flight: Some(JUDGE_CONCURRENCY), workers: 1 };

    /// Returns the number of questions that a process with `judges` judges asks at the same time.
    ///
    /// The number is no larger than the calls of the process permit, so that a kill loses only the
    /// answers to calls in flight.
    pub(crate) fn questions(self, judges: usize) -> u32 {
        let calls = self.in_flight.unwrap_or(JUDGE_CONCURRENCY) / self.workers.max(1);
        calls.max(1).saturating_mul(judges as u32).min(JUDGE_CONCURRENCY)
    }
}

/// Returns the panel of these judges with the time limits and retries of this program.
pub(crate) fn panel(judges: Vec<PanelJudge>, share: Share) -> judging::Panel {
    judging::Panel {
        concurrency: share.questions(judges.len()),
        judges,
        timeout: Duration::from_secs(JUDGE_TIMEOUT_S),
        local_timeout: Duration::from_secs(LOCAL_JUDGE_TIMEOUT_S),
        retry: RetryPolicy::default(),
    }
}

impl Scoring {
    /// Opens judges and checks whether each of them can be called. Caveats about the judges are
    /// added to `notes`.
    pub(crate) async fn open_judges(
        &self,
        ids: &[String],
        base_url: Option<&str>,
        local: &LocalSettings,
        shared: &Budget,
        share: Share,
        notes: &mut Vec<Sentence>,
    ) -> Result<Vec<PanelJudge>, WireError> {
        let mut judges = Vec::new();
        for id in ids {
            let local_use = LocalUse { settings: local, parallel: None };
            let opened = self.models.open(id, base_url, None, &[], local_use, Purpose::Judge).await?;
            notes.extend(opened.local.as_ref().map(|run| precision_note(id, run)));
            opened.model.check().await?;
            let budget = shared.beside(self.models.price(id)?);
            let is_local = opened.local.is_some();
            let model = self.models.limited_share(opened, share.in_flight, share.workers, budget);
            judges.push(PanelJudge { name: id.clone(), model, is_local });
        }
        Ok(judges)
    }

    /// Asks the judges all questions without a stored answer. All stored answers are read before
    /// the first call, so that an error of the disk costs nothing.
    ///
    /// # Errors
    /// When the database cannot be read or written, a judge cannot be called at all, or `cancel`
    /// was triggered.
    pub(crate) async fn ask_judges(
        &self,
        context: &JudgeContext<'_>,
        progress: &(dyn Fn(usize, usize) + Sync),
        cancel: &Cancel,
    ) -> Result<JudgeAnswers, WireError> {
        let JudgeContext { run, dataset, options, base_url, local, asks, .. } = *context;
        let questions = self.library.questions(run, dataset, options, base_url, local)?;
        let ballots = judging::ballots(&questions.questions, options.panel.judges.len());
        let known_verdicts = self.known_verdicts(context, &questions, &ballots)?;
        let unreadable = known_verdicts.unreadable.len();
        let mut notes = Vec::new();
        let (result, asked_again) = if asks {
            let open = ballots.len() - known_verdicts.verdicts.len();
            let judges = self.judges_to_ask(context, ballots.len(), open, &mut notes).await?;
            let store = self.workspace.store()?;
            let asking =
                Asking { context, questions: &questions, ballots: &ballots, known: &known_verdicts, store };
            asking.ask(&panel(judges, Share::WHOLE), progress, cancel).await?
        } else {
            (known_verdicts.without_calls(ballots.len()), 0)
        };
        notes.extend(failed_judges(&result.verdicts, options.scorer)?);
        notes.extend(stopped(&result, ballots.len(), asks));
        if asked_again > 0 {
            notes.push(say!("{asked_again} judge answers could not be used and were asked for once more"));
        }
        if unreadable > 0 {
            notes
                .push(say!("{} stored judge answers could not be read and were asked for again", unreadable));
        }
        notes.extend(same_maker_notes(run, &options.panel.judges));
        let (verdicts, later) = give_out(&questions, result.verdicts);
        Ok(JudgeAnswers { verdicts, later, notes, stopped: result.stopped.is_some() })
    }

    /// Opens the judges of a scoring. `total` is the number of ballots (calls of judges, see
    /// `koab_engine::judging::Ballot`), and `open` the number of ballots without a verdict.
    ///
    /// Stores the judges as those of the run, so that a cancelled scoring continues with the same
    /// judges.
    async fn judges_to_ask(
        &self,
        context: &JudgeContext<'_>,
        total: usize,
        open: usize,
        notes: &mut Vec<Sentence>,
    ) -> Result<Vec<PanelJudge>, WireError> {
        let JudgeContext { run, options, base_url, local, shared, remembered, .. } = *context;
        let ids = &options.panel.judges;
        // Where all is known, an address that was stored incompletely need not be given again.
        let judges = if total == 0 || (open == 0 && base_url.is_some_and(address::is_cut)) {
            Vec::new()
        } else {
            self.open_judges(ids, base_url, local, shared, Share::WHOLE, notes).await?
        };
        if remembered {
            self.remember_judges(&run.entry.id, ids, base_url, local)?;
        }
        Ok(judges)
    }
}
