//! Asks judges the open questions, within their caps.

use super::judge_answers::JudgeAnswers;
use super::judge_notes::{failed_judges, precision_note, same_maker_notes, stopped};
use super::questions::StoredBallot;
use crate::Scoring;
use crate::options::FailedVerdicts;
use crate::scoring::run::Run;
use crate::wire::WireError;
use koab_core::address;
use koab_core::judge::{Answer, Verdict, Verdicts};
use koab_core::reason::Reason;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::budget::Budget;
use koab_engine::egress::Purpose;
use koab_engine::judging::{self, Ballot, JudgingResult, PanelJudge, judge};
use koab_engine::ports::Cancel;
use koab_engine::retry::RetryPolicy;
use koab_models::LocalUse;
use koab_models::local_models::LocalSettings;
use koab_report::{Dataset, EvaluationOptions};
use koab_store::Error as StoreError;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Maximum number of concurrent questions to judges.
const JUDGE_CONCURRENCY: u32 = 8;
/// Seconds that a judge has for an answer, as published.
const JUDGE_TIMEOUT_S: u64 = 60;
/// Seconds that a judge on this machine has for an answer. It reads a long question at some tens of
/// tokens per second.
const LOCAL_JUDGE_TIMEOUT_S: u64 = 900;

/// Share of a process in the concurrent calls.
#[derive(Clone, Copy)]
pub(crate) struct Share {
    /// Concurrent calls of all processes together; `None` means the default.
    pub(crate) in_flight: Option<u32>,
    /// Number of processes that ask at the same time.
    pub(crate) workers: u32,
}

impl Share {
    /// The share of a single process.
    const WHOLE: Self = Self { in_flight: Some(JUDGE_CONCURRENCY), workers: 1 };

    /// Returns the number of concurrent questions of a process with `judges` judges. It does not
    /// exceed the number of its calls, so that a kill loses only the answers of running calls.
    pub(crate) fn questions(self, judges: usize) -> u32 {
        let calls = self.in_flight.unwrap_or(JUDGE_CONCURRENCY) / self.workers.max(1);
        calls.max(1).saturating_mul(judges as u32).min(JUDGE_CONCURRENCY)
    }
}

/// Returns the panel with the timeouts and retries of this program.
pub(crate) fn panel(judges: Vec<PanelJudge>, share: Share) -> judging::Panel {
    judging::Panel {
        concurrency: share.questions(judges.len()),
        judges,
        timeout: Duration::from_secs(JUDGE_TIMEOUT_S),
        local_timeout: Duration::from_secs(LOCAL_JUDGE_TIMEOUT_S),
        retry: RetryPolicy::default(),
    }
}

/// Input of a judging.
#[derive(Clone, Copy)]
pub(crate) struct JudgeContext<'a> {
    pub(crate) run: &'a Run,
    pub(crate) dataset: &'a Dataset,
    pub(crate) options: &'a EvaluationOptions,
    pub(crate) base_url: Option<&'a str>,
    /// Settings of judges inside the application.
    pub(crate) local: &'a LocalSettings,
    /// Budget of all judges of the scoring.
    pub(crate) shared: &'a Budget,
    /// Answers in reports of the run; a judge with a recorded answer is not asked again.
    pub(crate) recorded: Option<&'a Verdicts>,
    /// Whether judges are called. If not, only stored answers count, and the other questions stay
    /// unasked.
    pub(crate) asks: bool,
    /// Whether judges are asked again about answered questions, to compare the answers. The new
    /// answers are not stored: they are not votes.
    pub(crate) again: bool,
    /// Questions without an answer of the judge in the workers' judging, by storage key; they are
    /// not asked again.
    pub(crate) failed: &'a FailedVerdicts,
    /// Whether the run's next scoring uses these judges, once each of them could be opened.
    pub(crate) remembered: bool,
}

impl Scoring {
    /// Opens judges and checks whether each can be called. `notes` receives caveats about them for
    /// the reader of the report.
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

    /// Asks the judges all questions that have no stored answer.
    pub(crate) async fn ask_judges(
        &self,
        asking: &JudgeContext<'_>,
        progress: &(dyn Fn(usize, usize) + Sync),
        cancel: &Cancel,
    ) -> Result<JudgeAnswers, WireError> {
        let JudgeContext {
            run,
            dataset,
            options,
            base_url,
            local,
            shared,
            recorded,
            asks,
            again,
            failed,
            remembered,
        } = *asking;
        let questions = self.library.questions(run, dataset, options, base_url, local)?;
        let mut judges = Vec::new();
        let mut notes = Vec::new();
        let store = self.workspace.store()?;
        let names = &options.panel.judges;
        let ballots = judging::ballots(&questions.questions, names.len());
        let total = ballots.len();
        let done = AtomicUsize::new(0);
        let count = || progress((done.fetch_add(1, Ordering::Relaxed) + 1).min(total), total);
        // A reply in words without a usable answer is requested once more, and is not stored.
        let is_usable = |verdict: &Verdict| match (dataset.items(), &verdict.answer) {
            (Some(items), Answer::Answered(opinion)) => {
                let text = opinion.reason.as_deref().unwrap_or_default();
                items.usable(text, options.scorer)
            }
            _ => true,
        };
        // All stored answers are read before the first call, so that a disk error costs nothing.
        let (mut known, mut unreadable) = (BTreeMap::new(), BTreeSet::new());
        for &ballot in ballots.iter().filter(|_| !again) {
            if let Some(failed) = failed.get(&questions.owned_key(ballot, &names[ballot.judge])) {
                known.insert(ballot, failed.clone());
                continue;
            }
            match questions.stored(store, ballot, &names[ballot.judge])? {
                StoredBallot::Answer(verdict) => {
                    known.insert(ballot, verdict);
                }
                StoredBallot::Unreadable => {
                    unreadable.insert(ballot);
                }
                StoredBallot::Nothing => {
                    let question = &questions.questions[ballot.question];
                    let votes = recorded.map(|verdicts| verdicts.about(&question.task_id, question.metric));
                    let judge = &names[ballot.judge];
                    let verdict = votes.and_then(|votes| recorded_vote(votes, judge, ballot.vote));
                    known.extend(verdict.map(|verdict| (ballot, verdict)));
                }
            }
        }
        // Judges without an open question are not opened: a model inside the application would be
        // loaded, and an address that was stored incompletely would have to be given again.
        let is_all_known = known.len() == ballots.len() && base_url.is_some_and(address::is_cut);
        if asks && !questions.questions.is_empty() && !is_all_known {
            judges = self
                .open_judges(&options.panel.judges, base_url, local, shared, Share::WHOLE, &mut notes)
                .await?;
        }
        if asks && remembered {
            // Before the first call, so that a cancelled scoring is continued with these judges.
            self.remember_judges(&run.entry.id, &options.panel.judges, base_url, local)?;
        }
        let panel = panel(judges, Share::WHOLE);
        let at_hand = |ballot: Ballot| known.get(&ballot).inspect(|_| count()).cloned();
        let mut store_error = None;
        let mut on_verdict = |ballot: Ballot, verdict: &Verdict| {
            count();
            if again {
                return;
            }
            let version = questions.version(ballot, &verdict.judge);
            let key = questions.key(ballot, &verdict.judge, &version);
            let result = match (verdict.failure(), serde_json::to_value(verdict)) {
                (Some(reason), _) => store.keep_verdict_failure(key, reason),
                (None, Ok(_)) if !is_usable(verdict) => {
                    store.keep_verdict_failure(key, &Reason::NoUsableAnswer {}.into())
                }
                (None, Ok(value)) if unreadable.contains(&ballot) => store.mend_verdict(key, &value),
                (None, Ok(value)) => store.keep_verdict(key, &value).map(|_| ()),
                (None, Err(error)) => Err(StoreError::BadFile(error.to_string().into())),
            };
            if let Err(error) = result {
                store_error.get_or_insert(error);
            }
        };
        let cancelled = |_| WireError::cancelled(say!("cancelled; the verdicts so far are kept"));
        let mut asked_again = 0;
        let result = if asks {
            let mut result = judge(&questions.questions, &ballots, &panel, at_hand, &mut on_verdict, cancel)
                .await
                .map_err(cancelled)?;
            let unusable = result.verdicts.iter().filter(|(_, verdict)| !is_usable(verdict));
            let mut again: Vec<Ballot> = unusable.map(|(ballot, _)| *ballot).collect();
            again.append(&mut result.unusable);
            asked_again = again.len();
            if !again.is_empty() && result.stopped.is_none() {
                let second = judge(&questions.questions, &again, &panel, |_| None, &mut on_verdict, cancel)
                    .await
                    .map_err(cancelled)?;
                result.stopped = second.stopped;
                let mut verdicts: BTreeMap<Ballot, Verdict> = result.verdicts.into_iter().collect();
                verdicts.extend(second.verdicts);
                result.verdicts = verdicts.into_iter().collect();
            }
            result
        } else {
            JudgingResult {
                stopped: (known.len() < total).then_some(Sentence::EMPTY),
                verdicts: known.into_iter().collect(),
                unusable: Vec::new(),
            }
        };
        if let Some(error) = store_error {
            return Err(error.into());
        }
        notes.extend(failed_judges(&result.verdicts, options.scorer)?);
        notes.extend(stopped(&result, total, asks));
        if asked_again > 0 {
            notes.push(say!("{asked_again} judge answers could not be used and were asked for once more"));
        }
        if !unreadable.is_empty() {
            notes.push(say!(
                "{} stored judge answers could not be read and were asked for again",
                unreadable.len()
            ));
        }
        notes.extend(same_maker_notes(run, &options.panel.judges));
        let (verdicts, later) = questions.give_out(result.verdicts);
        Ok(JudgeAnswers { verdicts, later, notes, stopped: result.stopped.is_some() })
    }
}

/// Returns a judge's vote among the recorded ones on a question; `None` where the judge failed.
pub(crate) fn recorded_vote(votes: &[Verdict], judge: &str, vote: usize) -> Option<Verdict> {
    let voted = votes.iter().filter(|one| one.judge == judge).nth(vote)?;
    voted.failure().is_none().then(|| voted.clone())
}
