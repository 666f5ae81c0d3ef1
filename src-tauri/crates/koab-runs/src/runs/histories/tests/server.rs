//! Scripted model that all starts of a history call. Each answer names its attempt and step, and no
//! two answers are equal.

use super::disk::Fate;
use super::files::{Found, Key};
use async_trait::async_trait;
use koab_core::run_record::{ChangeRecord, RunChange};
use koab_core::split_mix::SplitMix;
use koab_engine::ports::{
    Cancel, ChangeRequest, ChangeSender, FinishReason, Message, ModelAdapter, ModelError, ModelReply,
    ModelRequest, RequestedCall, Usage,
};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Number of tokens that each answer reports, prompt and completion together.
pub(super) const TOKENS: u64 = 15;
/// Name of the tool that the model calls in every step of an attempt except the last.
pub(super) const TOOL: &str = "Search_x";

/// An answer of the model, with the number of the start that received the answer.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) start: usize,
    pub(super) said: String,
}

/// Answers that all starts of a run received, and faults that were found in the run.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) answers: Vec<Answer>,
    /// Changes that a start has answered as made.
    pub(super) changes: Vec<ChangeRecord>,
    pub(super) faults: Vec<String>,
}

/// Answers and faults of a run, which all of its starts share.
#[derive(Clone, Debug, Default)]
pub(super) struct Server(Arc<Mutex<Told>>);

impl Server {
    pub(super) fn told(&self) -> MutexGuard<'_, Told> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn faults(&self) -> Vec<String> {
        self.told().faults.clone()
    }

    pub(super) fn fault(&self, what: String) {
        self.told().faults.push(what);
    }

    /// Answers that a start received.
    pub(super) fn given_to(&self, start: usize) -> Vec<Answer> {
        let told = self.told();
        let of_start = told.answers.iter().filter(|answer| answer.start == start);
        of_start.cloned().collect()
    }
}

/// Number of steps of an attempt, from 1 to 4. The number depends on the task and the repetition.
pub(super) fn length(task: &str, repetition: u32) -> u32 {
    let number = u32::from(task.bytes().last().unwrap_or_default());
    1 + (number + 2 * repetition) % 4
}

/// The scripted model as one start calls it.
pub(super) struct Asked {
    pub(super) server: Server,
    pub(super) start: usize,
    /// Results of earlier starts that this start found in the files.
    pub(super) found: Found,
    /// Attempts that may start again from the first step, because a line of the attempt was damaged
    /// or duplicated, or because two starts made the attempt at the same time.
    pub(super) damaged: BTreeSet<Key>,
    pub(super) fate: Arc<Fate>,
    /// Number (from 1) of the start's model call that fails; `None` if all succeed.
    pub(super) fails: Option<u32>,
    /// Number of answers after which the start is cancelled through `cancel`; `None` for never.
    pub(super) told_to_end: Option<u32>,
    pub(super) cancel: Cancel,
    /// Number of answers after which the start is asked for a change, and the change.
    pub(super) change: Option<(u32, RunChange, ChangeSender)>,
    pub(super) state: Mutex<AskedState>,
}

pub(super) struct AskedState {
    pub(super) dice: SplitMix,
    pub(super) asked: u32,
    pub(super) answered: u32,
    /// Attempts that failed in this start. If they are made again, they begin with their first step.
    pub(super) failed: BTreeSet<Key>,
}

impl Asked {
    fn state(&self) -> MutexGuard<'_, AskedState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks a model call. The start must not request an answer that it found in the files, and
    /// the conversation must contain the answers of all earlier steps in their order.
    fn look(&self, request: &ModelRequest<'_>, key: &Key) {
        let step = request.attempt.step;
        let start = self.start;
        if !self.damaged.contains(key) && !self.state().failed.contains(key) {
            if self.found.ended.contains(key) {
                self.server.fault(format!("start {start} asks for {key:?}, which has ended"));
            }
            let answered = self.found.answered(key);
            if step <= answered {
                self.server.fault(format!(
                    "start {start} asks for step {step} of {key:?}, of which {answered} are answered and kept"
                ));
            }
        }
        let said = request.messages.iter().filter_map(|message| match message {
            Message::Assistant { content, .. } => Some(content.as_str()),
            _ => None,
        });
        let said: Vec<&str> = said.collect();
        let in_order =
            said.iter().enumerate().all(|(place, said)| said.starts_with(&head(key, place as u32 + 1)));
        if said.len() + 1 != step as usize || !in_order {
            self.server.fault(format!("start {start} asks for step {step} of {key:?} behind {said:?}"));
        }
    }
}

/// Beginning of every answer for this step.
fn head(key: &Key, step: u32) -> String {
    format!("{}/{} step {step} #", key.0, key.1)
}

#[async_trait]
impl ModelAdapter for Asked {
    async fn complete(&self, request: ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        let at = request.attempt;
        let key = (at.task.to_owned(), at.repetition);
        self.look(&request, &key);
        let (number, turns) = {
            let mut state = self.state();
            state.asked += 1;
            // The runtime gets at least one turn before the answer, so that the run can write the
            // earlier answers to its journal. No real server answers sooner.
            (state.asked, 1 + state.dice.below(4))
        };
        for _ in 0..turns {
            tokio::task::yield_now().await;
        }
        if self.fate.is_dead() {
            std::future::pending::<()>().await;
        }
        if self.fails == Some(number) {
            self.state().failed.insert(key);
            return Err(ModelError::Http {
                url: "http://h/v1".to_owned(),
                status: 400,
                message: "no".to_owned(),
            });
        }
        let answered = {
            let mut state = self.state();
            state.answered += 1;
            state.answered
        };
        if self.told_to_end.is_some_and(|end| answered >= end) {
            self.cancel.cancel();
        }
        if let Some((after, change, sender)) = &self.change
            && *after == answered
        {
            let (sender, server) = (sender.clone(), self.server.clone());
            let request = ChangeRequest { changes: vec![change.clone()], model: None };
            tokio::spawn(async move {
                if let Ok(made) = sender.ask(request).await {
                    server.told().changes.extend(made);
                }
            });
        }
        let said = {
            let mut told = self.server.told();
            let said = format!("{}{}", head(&key, at.step), told.answers.len());
            told.answers.push(Answer { start: self.start, said: said.clone() });
            said
        };
        let is_last = at.step >= length(at.task, at.repetition);
        let call = RequestedCall {
            id: format!("call_{}", at.step),
            name: TOOL.to_owned(),
            arguments: format!(r#"{{"query": "{}"}}"#, at.step),
        };
        Ok(ModelReply {
            content: said,
            calls: if is_last { Vec::new() } else { vec![call] },
            usage: Some(Usage { prompt_tokens: 10, completion_tokens: 5, total_tokens: TOKENS }),
            finish: if is_last { FinishReason::Stop } else { FinishReason::ToolCalls },
            first_token: Some(Duration::from_millis(1)),
            latency: Duration::from_millis(2),
            opaque: None,
            left_out: None,
            written: None,
            message: None,
        })
    }
}
