//! The model of all starts: each answer says of which attempt and step it is, and no two say the
//! same.

use super::disk::Fate;
use super::files::{Found, Key};
use async_trait::async_trait;
use koab_core::split_mix::SplitMix;
use koab_engine::ports::{
    Cancel, FinishReason, Message, ModelAdapter, ModelError, ModelReply, ModelRequest, RequestedCall, Usage,
};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Tokens of an answer.
pub(super) const TOKENS: u64 = 15;
/// The tool that is called in all steps but an attempt's last.
pub(super) const TOOL: &str = "Search_x";

/// An answer that went out.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) start: usize,
    pub(super) said: String,
}

/// What all starts of a run were answered, and what they must not have done.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) answers: Vec<Answer>,
    pub(super) faults: Vec<String>,
}

/// Shared by all starts.
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

    /// Answers that went out to a start.
    pub(super) fn given_to(&self, start: usize) -> Vec<Answer> {
        let told = self.told();
        let of_start = told.answers.iter().filter(|answer| answer.start == start);
        of_start.cloned().collect()
    }
}

/// Steps of an attempt.
pub(super) fn length(task: &str, repetition: u32) -> u32 {
    let number = u32::from(task.bytes().last().unwrap_or_default());
    1 + (number + 2 * repetition) % 4
}

/// The server as one start sees it.
pub(super) struct Asked {
    pub(super) server: Server,
    pub(super) start: usize,
    /// What it found.
    pub(super) found: Found,
    /// Attempts of which a line was damaged: they may begin anew.
    pub(super) damaged: BTreeSet<Key>,
    pub(super) fate: Arc<Fate>,
    /// The number of the question that fails, from 1.
    pub(super) fails: Option<u32>,
    /// After how many answers the start is told to end, and by what.
    pub(super) told_to_end: Option<u32>,
    pub(super) cancel: Cancel,
    pub(super) state: Mutex<AskedState>,
}

pub(super) struct AskedState {
    pub(super) dice: SplitMix,
    pub(super) asked: u32,
    pub(super) answered: u32,
}

impl Asked {
    fn state(&self) -> MutexGuard<'_, AskedState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What must hold whenever a question comes.
    fn look(&self, request: &ModelRequest<'_>, key: &Key) {
        let step = request.attempt.step;
        let start = self.start;
        if !self.damaged.contains(key) {
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

/// What an answer begins with.
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
            // At least one turn, in which what was answered before is written: no server answers
            // sooner.
            (state.asked, 1 + state.dice.below(4))
        };
        for _ in 0..turns {
            tokio::task::yield_now().await;
        }
        if self.fate.is_dead() {
            std::future::pending::<()>().await;
        }
        if self.fails == Some(number) {
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
