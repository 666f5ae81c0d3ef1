//! Calls judges: turns questions into verdicts, which the metrics interpret.
//!
//! `known` returns verdicts that already exist, and these calls are not repeated. So scoring a run
//! again, or with one more judge, only makes new calls. The failure of a judge is also a verdict,
//! with its reason. A question that the budget does not allow gets no verdict, and the next scoring
//! sends it again.

use crate::ports::{AttemptRef, Cancel, Message, ModelAdapter, ModelError, ModelRequest, Pause, ToolChoice};
use crate::retry::RetryPolicy;
use crate::turn::{Control, Deadline, TurnFault, ask};
use koab_core::judge::{JudgeQuestion, Verdict, Votes};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Maximum output tokens of a judge, as published.
const JUDGE_TOKENS: u32 = 2048;
/// Maximum output tokens of a judge on this machine. The limit is lower, since long reasons would
/// take minutes.
const LOCAL_JUDGE_TOKENS: u32 = 512;
/// Maximum output tokens and temperature of a judge that answers in free text, as published.
const FREE_TEXT_SAMPLING: (Option<u32>, f64) = (None, 0.1);

/// A judge that can be called, as one of the judges of a scoring.
#[derive(Clone)]
pub struct PanelJudge {
    /// Model id.
    pub name: String,
    /// The model to call.
    pub model: Arc<dyn ModelAdapter>,
    /// Whether the judge runs on this machine. Such a judge is slow, and always gives the same
    /// answer to the same question.
    pub is_local: bool,
}

/// The judges and the settings of their calls.
#[derive(Clone)]
pub struct Panel {
    /// The judges in the order that the user gave. The first judge gives the votes on SR.
    pub judges: Vec<PanelJudge>,
    /// Maximum number of questions in flight.
    pub concurrency: u32,
    /// Time limit of one question, which begins when the call is sent.
    pub timeout: Duration,
    /// Time limit of one question to a judge on this machine.
    pub local_timeout: Duration,
    /// Policy for retries of failed calls.
    pub retry: RetryPolicy,
}

/// One call of a judge, given by its question, its judge and the number of its vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ballot {
    /// Position of the question in the list.
    pub question: usize,
    /// Position of the judge in the panel.
    pub judge: usize,
    /// 0-based number of the vote; always 0 if every judge answers once.
    pub vote: usize,
}

/// All calls that these questions need with a panel of this size.
pub fn ballots(questions: &[JudgeQuestion], judges: usize) -> Vec<Ballot> {
    let mut ballots = Vec::new();
    for (question, asked) in questions.iter().enumerate() {
        match asked.votes {
            Votes::FirstJudge(votes) if judges > 0 => {
                ballots.extend((0..votes).map(|vote| Ballot { question, judge: 0, vote }));
            }
            Votes::FirstJudge(_) => {}
            Votes::EachJudge => ballots.extend((0..judges).map(|judge| Ballot { question, judge, vote: 0 })),
        }
    }
    ballots
}

/// Error for a cancelled scoring. Verdicts that arrived before were passed to `came`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
#[error("cancelled")]
pub struct Cancelled;

/// The result of calling judges.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgingResult {
    /// The verdicts in the order of [`ballots`], not in the order of their arrival.
    pub verdicts: Vec<(Ballot, Verdict)>,
    /// Reason why the remaining calls were not made: the budget is spent, or koab is offline.
    pub stopped: Option<Sentence>,
    /// Calls with an unusable answer. A repeated call may give a usable one.
    pub unusable: Vec<Ballot>,
}

/// Makes the calls in `ballots` that have no verdict in `known`. `came` receives every new verdict
/// when it arrives.
///
/// After the budget has refused a call, no other call begins; calls in flight are completed.
///
/// # Errors
/// [`Cancelled`] if `cancel` was triggered.
pub async fn judge(
    questions: &[JudgeQuestion],
    ballots: &[Ballot],
    panel: &Panel,
    known: impl Fn(Ballot) -> Option<Verdict>,
    mut came: impl FnMut(Ballot, &Verdict),
    cancel: &Cancel,
) -> Result<JudgingResult, Cancelled> {
    let mut verdicts: Vec<(Ballot, Verdict)> = Vec::new();
    let stop: Arc<OnceLock<Sentence>> = Arc::default();
    let room = Arc::new(Semaphore::new(panel.concurrency.max(1) as usize));
    let mut asking = JoinSet::new();
    let mut repeated = Vec::new();
    for &ballot in ballots {
        if let Some(verdict) = known(ballot) {
            verdicts.push((ballot, verdict));
            continue;
        }
        let question = &questions[ballot.question];
        if ballot.vote > 0 && panel.judges[ballot.judge].is_local && !question.is_in_words() {
            repeated.push(ballot);
            continue;
        }
        let (question, panel, room) = (questions[ballot.question].clone(), panel.clone(), Arc::clone(&room));
        let (cancel, stop) = (cancel.clone(), Arc::clone(&stop));
        asking.spawn(async move {
            let place = room.acquire_owned().await;
            if stop.get().is_some() {
                return (ballot, Ok(None), place);
            }
            (ballot, vote(&question, &panel, ballot, &cancel, &stop).await, place)
        });
    }
    let mut cancelled = false;
    let mut unusable = Vec::new();
    while let Some(joined) = asking.join_next().await {
        // The place is free once the answer is stored, so that a kill loses only the answers in
        // flight.
        let (ballot, verdict, _place) = match joined {
            Ok(voted) => voted,
            Err(error) if error.is_cancelled() => continue,
            // A fault of this program, which must not turn into a missing vote.
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        };
        match verdict {
            Ok(Some((verdict, is_usable))) => {
                came(ballot, &verdict);
                verdicts.push((ballot, verdict));
                unusable.extend((!is_usable).then_some(ballot));
            }
            Ok(None) => {}
            // Calls in flight are dropped, which closes their connections. Answers that arrived are
            // paid for and count.
            Err(Cancelled) => {
                cancelled = true;
                asking.abort_all();
            }
        }
    }
    if cancelled {
        return Err(Cancelled);
    }
    verdicts.sort_by_key(|(ballot, _)| *ballot);
    let first_unusable: BTreeSet<Ballot> = unusable.iter().copied().collect();
    let mut equal = Vec::new();
    for ballot in repeated {
        let first = Ballot { vote: 0, ..ballot };
        if let Ok(at) = verdicts.binary_search_by_key(&first, |(ballot, _)| *ballot) {
            let verdict = verdicts[at].1.clone();
            came(ballot, &verdict);
            unusable.extend(first_unusable.contains(&first).then_some(ballot));
            equal.push((ballot, verdict));
        }
    }
    verdicts.append(&mut equal);
    verdicts.sort_by_key(|(ballot, _)| *ballot);
    let stopped = stop.get().cloned();
    unusable.sort();
    Ok(JudgingResult { verdicts, stopped, unusable })
}

/// Makes one call. Returns the verdict, and whether the judge's answer is usable.
///
/// `None` if the budget does not allow the call or koab is offline. Then `stop` contains the
/// reason, which also applies to all other calls.
async fn vote(
    question: &JudgeQuestion,
    panel: &Panel,
    ballot: Ballot,
    cancel: &Cancel,
    stop: &OnceLock<Sentence>,
) -> Result<Option<(Verdict, bool)>, Cancelled> {
    let PanelJudge { name, model, is_local } = &panel.judges[ballot.judge];
    let timeout = if *is_local { panel.local_timeout } else { panel.timeout };
    let messages = [Message::System(question.system.clone()), Message::User(question.prompt.clone())];
    let in_words = question.is_in_words();
    let (max_tokens, temperature) = if in_words {
        FREE_TEXT_SAMPLING
    } else {
        let tokens = if *is_local { LOCAL_JUDGE_TOKENS } else { JUDGE_TOKENS };
        (Some(tokens), 0.0)
    };
    let request = ModelRequest {
        messages: if in_words { &messages[1..] } else { &messages },
        tools: &[],
        tool_choice: ToolChoice::Auto,
        listener: None,
        temperature,
        max_tokens,
        effort: None,
        seed: None,
        answer_schema: (!in_words).then_some((&question.schema.name, &question.schema.schema)),
        given: None,
        attempt: AttemptRef::default(),
    };
    let mut deadline = Deadline::after(timeout);
    // Only runs are paused.
    let pause = Pause::default();
    let control = Control { cancel, pause: &pause };
    let reply = ask(&**model, request, &panel.retry, &mut deadline, control, |_| {}).await;
    let unanswered = |reason: Sentence| Verdict::unanswered(name, question.metric, reason);
    match reply {
        Ok(reply) if in_words => {
            let verdict = Verdict::in_words(name, question.metric, &reply.content);
            Ok(Some((verdict, true)))
        }
        Ok(reply) => {
            let verdict = Verdict::read(name, question.metric, &reply.content);
            let is_usable = verdict.failure().is_none();
            Ok(Some((verdict, is_usable)))
        }
        Err(TurnFault::Cancelled) => Err(Cancelled),
        Err(TurnFault::TimedOut) => {
            let seconds = timeout.as_secs();
            let verdict = unanswered(say!("the judge did not answer within {seconds} s"));
            Ok(Some((verdict, true)))
        }
        // This is not the judge's failure, and the same for all calls.
        Err(TurnFault::Model(error @ ModelError::Offline(_))) => {
            let _ = stop.set(error.to_sentence());
            Ok(None)
        }
        Err(TurnFault::Model(error)) => {
            let is_unusable = matches!(error, ModelError::BadAnswer { transient: false, .. });
            let verdict = if is_unusable {
                Verdict::failed(name, question.metric, error.to_sentence())
            } else {
                unanswered(error.to_sentence())
            };
            Ok(Some((verdict, !is_unusable)))
        }
        Err(TurnFault::Budget(error)) => {
            let _ = stop.set(error.to_sentence());
            Ok(None)
        }
    }
}

#[cfg(test)]
mod tests;
