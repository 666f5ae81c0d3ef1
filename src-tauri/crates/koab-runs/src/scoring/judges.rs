//! Judges are asked what is not known yet, within their caps.

use super::judge_answers::JudgeAnswers;
use super::judge_notes::{failed_judges, judged_here, own_kind, stopped};
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

/// Questions to judges in flight.
const JUDGE_CONCURRENCY: u32 = 8;
/// Seconds a judge has for an answer, as published.
const JUDGE_TIMEOUT_S: u64 = 60;
/// The same of a judge on this machine, which reads a long question at some tens of tokens a
/// second.
const LOCAL_JUDGE_TIMEOUT_S: u64 = 900;

/// What part a process has of the calls in flight.
#[derive(Clone, Copy)]
pub(crate) struct Share {
    /// Calls in flight of all of them; what suits the server when left out.
    pub(crate) in_flight: Option<u32>,
    /// Processes that ask at once.
    pub(crate) workers: u32,
}

impl Share {
    /// One process asks.
    const WHOLE: Self = Self { in_flight: Some(JUDGE_CONCURRENCY), workers: 1 };

    /// Questions that a process has in flight at so many judges: no more than its calls, so that a
    /// kill loses no answers beside theirs.
    pub(crate) fn questions(self, judges: usize) -> u32 {
        let calls = self.in_flight.unwrap_or(JUDGE_CONCURRENCY) / self.workers.max(1);
        calls.max(1).saturating_mul(judges as u32).min(JUDGE_CONCURRENCY)
    }
}

/// A panel as it is asked.
pub(crate) fn panel(judges: Vec<PanelJudge>, share: Share) -> judging::Panel {
    judging::Panel {
        concurrency: share.questions(judges.len()),
        judges,
        timeout: Duration::from_secs(JUDGE_TIMEOUT_S),
        local_timeout: Duration::from_secs(LOCAL_JUDGE_TIMEOUT_S),
        retry: RetryPolicy::default(),
    }
}

/// What the judges are asked about.
#[derive(Clone, Copy)]
pub(crate) struct JudgeContext<'a> {
    pub(crate) run: &'a Run,
    pub(crate) dataset: &'a Dataset,
    pub(crate) options: &'a EvaluationOptions,
    pub(crate) base_url: Option<&'a str>,
    /// How judges inside the application run.
    pub(crate) local: &'a LocalSettings,
    /// The budget that all judges of the scoring spend from.
    pub(crate) shared: &'a Budget,
    /// Answers that reports of the run recorded; who gave one there is not asked again.
    pub(crate) recorded: Option<&'a Verdicts>,
    /// Whether judges are asked at all; if not, what they said earlier counts and the rest stays
    /// unasked.
    pub(crate) asks: bool,
    /// Whether they are asked again what they have answered, to see whether they say the same. That
    /// is kept nowhere: it is no vote.
    pub(crate) again: bool,
    /// Judges that gave no answer when workers asked them, by what the answer would be kept under;
    /// they are not asked again.
    pub(crate) failed: &'a FailedVerdicts,
    /// Whether the run's next scoring begins with these judges, once each of them could be opened.
    pub(crate) remembered: bool,
}

impl Scoring {
    /// Opens judges, and sees whether each can be asked. `notes` hears what a reader of the report
    /// must know of them.
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
            let wanted = LocalUse { settings: local, parallel: None };
            let opened = self.models.open(id, base_url, None, &[], wanted, Purpose::Judge).await?;
            notes.extend(opened.local.as_ref().map(|run| judged_here(id, run)));
            opened.model.check().await?;
            let budget = shared.beside(self.models.price(id)?);
            let is_local = opened.local.is_some();
            let model = self.models.limited_share(opened, share.in_flight, share.workers, budget);
            judges.push(PanelJudge { name: id.clone(), model, is_local });
        }
        Ok(judges)
    }

    /// Asks the judges what is not known yet.
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
        let asked = self.library.questions(run, dataset, options, base_url, local)?;
        let mut judges = Vec::new();
        let mut notes = Vec::new();
        let store = self.workspace.store()?;
        let names = &options.panel.judges;
        let ballots = judging::ballots(&asked.questions, names.len());
        let total = ballots.len();
        let done = AtomicUsize::new(0);
        let count = || progress((done.fetch_add(1, Ordering::Relaxed) + 1).min(total), total);
        // A reply in words that says nothing is asked for once more, and is not kept as an answer.
        let is_usable = |verdict: &Verdict| match (dataset.items(), &verdict.answer) {
            (Some(items), Answer::Answered(opinion)) => {
                let text = opinion.reason.as_deref().unwrap_or_default();
                items.usable(text, options.scorer)
            }
            _ => true,
        };
        // All that is known is looked up before anything is asked: a disk that refuses must cost
        // nothing.
        let (mut known, mut unreadable) = (BTreeMap::new(), BTreeSet::new());
        for &ballot in ballots.iter().filter(|_| !again) {
            if let Some(failed) = failed.get(&asked.owned_key(ballot, &names[ballot.judge])) {
                known.insert(ballot, failed.clone());
                continue;
            }
            match asked.stored(store, ballot, &names[ballot.judge])? {
                StoredBallot::Answer(verdict) => {
                    known.insert(ballot, verdict);
                }
                StoredBallot::Unreadable => {
                    unreadable.insert(ballot);
                }
                StoredBallot::Nothing => {
                    let question = &asked.questions[ballot.question];
                    let said = recorded.map(|said| said.about(&question.task_id, question.metric));
                    let judge = &names[ballot.judge];
                    let verdict = said.and_then(|said| recorded_vote(said, judge, ballot.vote));
                    known.extend(verdict.map(|verdict| (ballot, verdict)));
                }
            }
        }
        // Who is asked nothing is not reached for either: a model inside the application would be
        // loaded, and an address that was not kept as a whole would have to be given again.
        let is_all_known = known.len() == ballots.len() && base_url.is_some_and(address::is_cut);
        if asks && !asked.questions.is_empty() && !is_all_known {
            judges = self
                .open_judges(&options.panel.judges, base_url, local, shared, Share::WHOLE, &mut notes)
                .await?;
        }
        if asks && remembered {
            // Before anybody is asked: a scoring that is cancelled goes on with the same judges.
            self.remember_judges(&run.entry.id, &options.panel.judges, base_url, local)?;
        }
        let panel = panel(judges, Share::WHOLE);
        let at_hand = |ballot: Ballot| known.get(&ballot).inspect(|_| count()).cloned();
        let mut refused = None;
        let mut came = |ballot: Ballot, verdict: &Verdict| {
            count();
            if again {
                return;
            }
            let version = asked.version(ballot, &verdict.judge);
            let key = asked.key(ballot, &verdict.judge, &version);
            let kept = match (verdict.failure(), serde_json::to_value(verdict)) {
                (Some(reason), _) => store.keep_verdict_failure(key, reason),
                (None, Ok(_)) if !is_usable(verdict) => {
                    store.keep_verdict_failure(key, &Reason::NoUsableAnswer {}.into())
                }
                (None, Ok(value)) if unreadable.contains(&ballot) => store.mend_verdict(key, &value),
                (None, Ok(value)) => store.keep_verdict(key, &value).map(|_| ()),
                (None, Err(error)) => Err(StoreError::BadFile(error.to_string().into())),
            };
            if let Err(error) = kept {
                refused.get_or_insert(error);
            }
        };
        let cancelled = |_| WireError::cancelled(say!("cancelled; the verdicts so far are kept"));
        let mut asked_again = 0;
        let judged = if asks {
            let mut judged = judge(&asked.questions, &ballots, &panel, at_hand, &mut came, cancel)
                .await
                .map_err(cancelled)?;
            let unusable = judged.verdicts.iter().filter(|(_, verdict)| !is_usable(verdict));
            let mut again: Vec<Ballot> = unusable.map(|(ballot, _)| *ballot).collect();
            again.append(&mut judged.unusable);
            asked_again = again.len();
            if !again.is_empty() && judged.stopped.is_none() {
                let second = judge(&asked.questions, &again, &panel, |_| None, &mut came, cancel)
                    .await
                    .map_err(cancelled)?;
                judged.stopped = second.stopped;
                let mut verdicts: BTreeMap<Ballot, Verdict> = judged.verdicts.into_iter().collect();
                verdicts.extend(second.verdicts);
                judged.verdicts = verdicts.into_iter().collect();
            }
            judged
        } else {
            JudgingResult {
                stopped: (known.len() < total).then_some(Sentence::EMPTY),
                verdicts: known.into_iter().collect(),
                unusable: Vec::new(),
            }
        };
        if let Some(error) = refused {
            return Err(error.into());
        }
        notes.extend(failed_judges(&judged.verdicts, options.scorer)?);
        notes.extend(stopped(&judged, total, asks));
        if asked_again > 0 {
            notes.push(say!("{asked_again} judge answers could not be used and were asked for once more"));
        }
        if !unreadable.is_empty() {
            notes.push(say!(
                "{} stored judge answers could not be read and were asked for again",
                unreadable.len()
            ));
        }
        notes.extend(own_kind(run, &options.panel.judges));
        let (verdicts, later) = asked.give_out(judged.verdicts);
        Ok(JudgeAnswers { verdicts, later, notes, stopped: judged.stopped.is_some() })
    }
}

/// A judge's vote among what a report recorded about a question; none where that failed.
pub(crate) fn recorded_vote(said: &[Verdict], judge: &str, vote: usize) -> Option<Verdict> {
    let voted = said.iter().filter(|one| one.judge == judge).nth(vote)?;
    voted.failure().is_none().then(|| voted.clone())
}
