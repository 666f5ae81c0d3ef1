//! An agent of somebody else's that drives the model itself.
//!
//! The run gives it a prompt and a handle that answers its tool calls, and hears from the model's
//! gateway what the model said. What it did is read from these two, never from what it says of
//! itself.

use super::model_call::{ModelError, ModelReply};
use super::{Cancel, Pause};
use crate::budget::NoBudget;
use async_trait::async_trait;
use koab_core::event::CallFault;
use koab_core::sentence::Sentence;
use koab_core::tool::ToolSpec;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

/// An agent under test.
#[async_trait]
pub trait Agent: Send + Sync {
    /// Makes one attempt. It ends what it started when `cancel` is set, and then says what there
    /// was until then; dropping the future ends everything at once.
    ///
    /// # Errors
    /// What is wrong with the set-up, so that no other attempt would fare better.
    async fn attempt(&self, work: AgentWork<'_>) -> Result<AgentEnd, Sentence>;
}

/// What an agent is to do.
pub struct AgentWork<'a> {
    /// Task id.
    pub task: &'a str,
    /// 1-based repetition.
    pub repetition: u32,
    /// What it is asked.
    pub prompt: &'a str,
    /// What its user says then, turn by turn in the same session; only where the run plays every
    /// turn.
    pub later_turns: &'a [String],
    /// The tools of the task, in its order.
    pub tools: &'a [ToolSpec],
    /// Who answers its calls and hears of its model.
    pub handle: AttemptHandle,
    /// Set when the attempt is over, whatever the agent is doing.
    pub cancel: &'a Cancel,
    /// Holds its model calls while the run is held.
    pub pause: &'a Pause,
    /// Model calls that it may make.
    pub most_model_calls: u32,
}

/// How an agent ended, as far as it can be seen from outside.
#[derive(Clone, Debug, Default)]
pub struct AgentEnd {
    /// Its answer, empty or absent when it gave none.
    pub answer: Option<String>,
    /// Why it counts as failed although it ended by itself, such as its exit code.
    pub failed: Option<Sentence>,
    /// Whether it was ended for its memory, which is why it did nothing more.
    pub out_of_memory: bool,
    /// The last lines that it wrote, for whoever looks for the reason; no secrets.
    pub last_words: String,
}

/// What an agent is shown of a tool's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolOutput {
    /// JSON text.
    pub text: String,
    /// Whether it is an error.
    pub is_error: bool,
}

/// Why a call of the model got no reply.
#[derive(Clone, Debug)]
pub enum NoReply {
    /// It might have passed a cap.
    Budget(NoBudget),
    /// The model, or the way to it.
    Model(ModelError),
    /// Its time was up.
    TimedOut(Sentence),
    /// The gateway refused what the agent asked for.
    Refused(Sentence),
}

/// What an attempt hears while its agent works.
#[derive(Debug)]
pub(crate) enum AgentEvent {
    /// A tool is called.
    Call { tool: String, arguments: String, came: Instant, answer: oneshot::Sender<ToolOutput> },
    /// The model replied.
    Reply(Box<ModelReply>),
    /// It did not.
    NoReply(Box<NoReply>),
    /// The agent answered a turn of its user's, which is not the last.
    TurnEnded(String),
    /// A model call went out.
    GoesOut,
    /// A model call stands in line: why, how long when that is known, and what it failed with where
    /// it is made again.
    Waits(Sentence, Option<Duration>, Option<CallFault>),
    /// It does so no more.
    WaitsNoMore,
}

/// The attempt, as its agent's surroundings reach it. Clones reach the same one.
#[derive(Clone, Debug)]
pub struct AttemptHandle {
    heard: mpsc::UnboundedSender<AgentEvent>,
}

impl AttemptHandle {
    pub(crate) fn new() -> (Self, mpsc::UnboundedReceiver<AgentEvent>) {
        let (heard, hears) = mpsc::unbounded_channel();
        (Self { heard }, hears)
    }

    /// Has a tool answer. `None` when the attempt is over.
    pub async fn call(&self, tool: &str, arguments: &str) -> Option<ToolOutput> {
        let (answer, answered) = oneshot::channel();
        let call = AgentEvent::Call {
            tool: tool.to_owned(),
            arguments: arguments.to_owned(),
            came: Instant::now(),
            answer,
        };
        self.heard.send(call).ok()?;
        answered.await.ok()
    }

    /// The model replied; to be told before the agent can read it.
    pub fn replied(&self, reply: ModelReply) {
        self.tell(AgentEvent::Reply(Box::new(reply)));
    }

    /// A model call got no reply.
    pub fn no_reply(&self, why: NoReply) {
        self.tell(AgentEvent::NoReply(Box::new(why)));
    }

    /// The agent answered a turn of its user's; the next one is said now.
    pub fn turn_ended(&self, answer: &str) {
        self.tell(AgentEvent::TurnEnded(answer.to_owned()));
    }

    /// A model call went out.
    pub fn goes_out(&self) {
        self.tell(AgentEvent::GoesOut);
    }

    /// A model call begins to wait; the attempt's time stands still until
    /// [`AttemptHandle::waits_no_more`].
    pub fn waits(&self, why: Sentence, wait: Option<Duration>, fault: Option<CallFault>) {
        self.tell(AgentEvent::Waits(why, wait, fault));
    }

    /// That wait is over.
    pub fn waits_no_more(&self) {
        self.tell(AgentEvent::WaitsNoMore);
    }

    fn tell(&self, heard: AgentEvent) {
        // Nobody hears once the attempt is over.
        drop(self.heard.send(heard));
    }
}
