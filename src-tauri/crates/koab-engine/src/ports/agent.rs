//! An agent: an external program that drives the model itself.
//!
//! The run gives the agent a prompt and a handle that answers its tool calls, and receives the
//! model's replies from the gateway. The record of the agent's actions comes from the handle and
//! the gateway, never from the agent's own statements.

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
    /// Makes one attempt. When `cancel` is triggered, the agent ends its processes and returns the
    /// result so far. Dropping the future ends everything at once.
    ///
    /// # Errors
    /// A fault of the set-up that every other attempt would have, too.
    async fn attempt(&self, work: AgentWork<'_>) -> Result<AgentEnd, Sentence>;
}

/// Input of an agent's attempt.
pub struct AgentWork<'a> {
    /// Task id.
    pub task: &'a str,
    /// 1-based number of the repetition.
    pub repetition: u32,
    /// Prompt of the attempt.
    pub prompt: &'a str,
    /// Later turns of the user in the same session; empty unless the model takes every turn of the
    /// conversation.
    pub later_turns: &'a [String],
    /// The tools of the task, in its order.
    pub tools: &'a [ToolSpec],
    /// Handle that answers the agent's tool calls and receives its model's replies.
    pub handle: AttemptHandle,
    /// Token that is triggered when the attempt has to end.
    pub cancel: &'a Cancel,
    /// Pause that delays the agent's model calls while the run is paused.
    pub pause: &'a Pause,
    /// Maximum number of model calls.
    pub most_model_calls: u32,
}

/// The end of an agent's attempt, as observed from outside.
#[derive(Clone, Debug, Default)]
pub struct AgentEnd {
    /// Answer of the agent; empty or `None` if it gave no answer.
    pub answer: Option<String>,
    /// Reason why the agent failed although it ended by itself, such as its exit code.
    pub failed: Option<Sentence>,
    /// Whether the agent was killed because it ran out of memory.
    pub out_of_memory: bool,
    /// Last lines of the agent's output, without secrets. They explain a failure.
    pub last_words: String,
}

/// A tool's answer for an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolOutput {
    /// The answer as JSON text.
    pub text: String,
    /// Whether the answer is an error.
    pub is_error: bool,
}

/// Reason why a model call got no reply.
#[derive(Clone, Debug)]
pub enum NoReply {
    /// The call might have exceeded a cap.
    Budget(NoBudget),
    /// The model or the connection to it failed.
    Model(ModelError),
    /// The call's time limit passed.
    TimedOut(Sentence),
    /// The gateway refused the agent's request.
    Refused(Sentence),
}

/// Events of a working agent.
#[derive(Debug)]
pub(crate) enum AgentEvent {
    /// The agent calls a tool.
    Call { tool: String, arguments: String, came: Instant, answer: oneshot::Sender<ToolOutput> },
    /// The model replied.
    Reply(Box<ModelReply>),
    /// A model call got no reply.
    NoReply(Box<NoReply>),
    /// The agent answered a turn of the user that is not the last turn.
    TurnEnded(String),
    /// A model call was sent.
    CallSent,
    /// A model call begins to wait. The event has the reason, the length if it is known, and the
    /// failure before a retry.
    WaitBegan(Sentence, Option<Duration>, Option<CallFault>),
    /// The wait of a model call ended.
    WaitEnded,
}

/// Connection of an agent's tool server and gateway to its attempt. They make the agent's tool
/// calls and report its model calls by this handle. Clones refer to the same attempt.
#[derive(Clone, Debug)]
pub struct AttemptHandle {
    events: mpsc::UnboundedSender<AgentEvent>,
}

impl AttemptHandle {
    pub(crate) fn new() -> (Self, mpsc::UnboundedReceiver<AgentEvent>) {
        let (events, receiver) = mpsc::unbounded_channel();
        (Self { events }, receiver)
    }

    /// Calls a tool; `None` if the attempt is over.
    pub async fn call(&self, tool: &str, arguments: &str) -> Option<ToolOutput> {
        let (answer, answered) = oneshot::channel();
        let call = AgentEvent::Call {
            tool: tool.to_owned(),
            arguments: arguments.to_owned(),
            came: Instant::now(),
            answer,
        };
        self.events.send(call).ok()?;
        answered.await.ok()
    }

    /// Reports a reply of the model. The caller has to do so before the agent can read the reply.
    pub fn replied(&self, reply: ModelReply) {
        self.tell(AgentEvent::Reply(Box::new(reply)));
    }

    /// Reports a model call without a reply.
    pub fn no_reply(&self, why: NoReply) {
        self.tell(AgentEvent::NoReply(Box::new(why)));
    }

    /// Reports the agent's answer to a turn of the user, before the next turn begins.
    pub fn turn_ended(&self, answer: &str) {
        self.tell(AgentEvent::TurnEnded(answer.to_owned()));
    }

    /// Reports that a model call was sent.
    pub fn goes_out(&self) {
        self.tell(AgentEvent::CallSent);
    }

    /// Reports that a model call begins to wait. The attempt's time stops until
    /// [`AttemptHandle::waits_no_more`].
    pub fn waits(&self, why: Sentence, wait: Option<Duration>, fault: Option<CallFault>) {
        self.tell(AgentEvent::WaitBegan(why, wait, fault));
    }

    /// Reports the end of a wait, so that the attempt's time continues.
    pub fn waits_no_more(&self) {
        self.tell(AgentEvent::WaitEnded);
    }

    fn tell(&self, event: AgentEvent) {
        // There is no receiver once the attempt is over.
        drop(self.events.send(event));
    }
}
