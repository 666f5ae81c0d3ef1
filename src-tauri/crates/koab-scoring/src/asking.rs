//! Asks a panel of judges the questions of a run that have no answer. Each answer is stored when it
//! arrives.

use super::judge_context::JudgeContext;
use super::known_verdicts::KnownVerdicts;
use koab_core::judge::{Answer, JudgeQuestion, Verdict};
use koab_core::reason::Reason;
use koab_core::say;
use koab_engine::judging::{Ballot, Cancelled, JudgingResult, Panel, judge};
use koab_engine::ports::Cancel;
use koab_library::questions::JudgeQuestions;
use koab_store::{Error as StoreError, Store};
use koab_workspace::WireError;
use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The questions of a scoring, and the store for their answers.
pub(super) struct Asking<'a> {
    pub(super) context: &'a JudgeContext<'a>,
    pub(super) questions: &'a JudgeQuestions,
    pub(super) ballots: &'a [Ballot],
    pub(super) known: &'a KnownVerdicts,
    pub(super) store: &'a Store,
}

impl Asking<'_> {
    /// Asks the questions without an answer, and repeats those that get no usable answer. Returns
    /// the verdicts and the number of repeated questions.
    ///
    /// `progress` receives the number of answers and their total.
    ///
    /// # Errors
    /// When an answer cannot be stored. The calls then stop, because their answers would be paid
    /// for and lost. Also when `cancel` was triggered.
    pub(super) async fn ask(
        &self,
        panel: &Panel,
        progress: &(dyn Fn(usize, usize) + Sync),
        cancel: &Cancel,
    ) -> Result<(JudgingResult, usize), WireError> {
        let total = self.ballots.len();
        let done = AtomicUsize::new(0);
        let count = || progress((done.fetch_add(1, Ordering::Relaxed) + 1).min(total), total);
        let known_verdict = |ballot: Ballot| self.known.verdicts.get(&ballot).inspect(|_| count()).cloned();
        let (failure, stop) = (OnceLock::new(), Cancel::new());
        let on_verdict = |ballot: Ballot, verdict: &Verdict| {
            count();
            if let Err(error) = self.keep(ballot, verdict) {
                // The first failure is the reason.
                let _ = failure.set(error);
                stop.cancel();
            }
        };
        let outcome = self.ask_twice(panel, known_verdict, on_verdict, &stop, cancel).await;
        match failure.into_inner() {
            Some(error) => Err(error.into()),
            None => outcome
                .map_err(|Cancelled| WireError::cancelled(say!("cancelled; the verdicts so far are kept"))),
        }
    }

    async fn ask_twice(
        &self,
        panel: &Panel,
        known: impl Fn(Ballot) -> Option<Verdict>,
        mut on_verdict: impl FnMut(Ballot, &Verdict),
        stop: &Cancel,
        cancel: &Cancel,
    ) -> Result<(JudgingResult, usize), Cancelled> {
        let questions = &self.questions.questions;
        let mut result =
            judge_until(questions, self.ballots, panel, known, &mut on_verdict, stop, cancel).await?;
        let unusable = result.verdicts.iter().filter(|(_, verdict)| !self.is_usable(verdict));
        let mut again: Vec<Ballot> = unusable.map(|(ballot, _)| *ballot).collect();
        again.append(&mut result.unusable);
        if !again.is_empty() && result.stopped.is_none() {
            let second =
                judge_until(questions, &again, panel, |_| None, &mut on_verdict, stop, cancel).await?;
            result.stopped = second.stopped;
            let mut verdicts: BTreeMap<Ballot, Verdict> = result.verdicts.into_iter().collect();
            verdicts.extend(second.verdicts);
            result.verdicts = verdicts.into_iter().collect();
        }
        Ok((result, again.len()))
    }

    /// Stores a verdict. If the scoring asks judges again, the verdict is not stored, because it is
    /// not a vote.
    fn keep(&self, ballot: Ballot, verdict: &Verdict) -> Result<(), StoreError> {
        if self.context.again {
            return Ok(());
        }
        let version = self.questions.version(ballot, &verdict.judge);
        let key = self.questions.key(ballot, &verdict.judge, &version);
        match (verdict.failure(), serde_json::to_value(verdict)) {
            (Some(reason), _) => self.store.keep_verdict_failure(key, reason),
            (None, Ok(_)) if !self.is_usable(verdict) => {
                self.store.keep_verdict_failure(key, &Reason::NoUsableAnswer {}.into())
            }
            (None, Ok(value)) if self.known.unreadable.contains(&ballot) => {
                self.store.mend_verdict(key, &value)
            }
            (None, Ok(value)) => self.store.keep_verdict(key, &value).map(|_| ()),
            (None, Err(error)) => Err(StoreError::BadFile(error.to_string().into())),
        }
    }

    /// Whether the reply of a verdict can be read. A reply that is text without a usable answer is
    /// not stored, and the question is repeated.
    fn is_usable(&self, verdict: &Verdict) -> bool {
        match (self.context.dataset.items(), &verdict.answer) {
            (Some(items), Answer::Answered(opinion)) => {
                let text = opinion.reason.as_deref().unwrap_or_default();
                items.usable(text, self.context.options.scorer)
            }
            _ => true,
        }
    }
}

/// Asks the judges until all have answered, or until `cancel` or `stop` is triggered. `on_verdict`
/// receives the answers that have arrived by then.
///
/// # Errors
/// [`Cancelled`] when `cancel` or `stop` was triggered.
pub(super) async fn judge_until(
    questions: &[JudgeQuestion],
    ballots: &[Ballot],
    panel: &Panel,
    known: impl Fn(Ballot) -> Option<Verdict>,
    on_verdict: impl FnMut(Ballot, &Verdict),
    stop: &Cancel,
    cancel: &Cancel,
) -> Result<JudgingResult, Cancelled> {
    let mut asking = pin!(judge(questions, ballots, panel, known, on_verdict, stop));
    tokio::select! {
        outcome = &mut asking => outcome,
        () = cancel.cancelled() => {
            stop.cancel();
            asking.await
        }
    }
}
