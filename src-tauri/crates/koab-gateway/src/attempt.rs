//! Model calls of an agent in an attempt of a run. The attempt is notified of each reply before the
//! agent receives it.

use super::refusal::Refusal;
use koab_core::sentence::ToSentence as _;
use koab_engine::ports::{
    AttemptHandle, AttemptRef, Cancel, ModelAdapter, ModelReply, ModelRequest, NoReply, Pause,
};
use koab_engine::retry::RetryPolicy;
use koab_engine::single_call::{CallError, ask_for_attempt};
use std::time::Duration;

/// Attempt of a run whose agent calls the gateway.
#[derive(Clone, Debug)]
pub struct AttemptCalls {
    /// Id of the task. It is not sent to servers.
    pub task: String,
    /// 1-based repetition.
    pub repetition: u32,
    /// Maximum number of model calls.
    pub most: u32,
    /// Receiver of the attempt's calls and replies.
    pub handle: AttemptHandle,
    /// Delays the calls while the run is paused.
    pub pause: Pause,
}

impl AttemptCalls {
    /// Calls the model with the run's own retry policy. Agents have retry rules of their own, so
    /// transient errors are retried here and the agent does not see them.
    ///
    /// # Errors
    /// See [`CallError`].
    pub(super) async fn ask(
        &self,
        model: &dyn ModelAdapter,
        request: ModelRequest<'_>,
        limit: Duration,
        left: &Cancel,
    ) -> Result<ModelReply, CallError> {
        let attempt =
            AttemptRef { task: &self.task, repetition: self.repetition, phase: 1, ..request.attempt };
        let request = ModelRequest { attempt, ..request };
        let retry = RetryPolicy::default();
        let result = ask_for_attempt(model, request, &retry, limit, (left, &self.pause), &self.handle).await;
        if let Err(why) = &result {
            let why = match why {
                // The attempt has ended, so nobody is notified.
                CallError::Cancelled => None,
                CallError::TimedOut(_) => Some(NoReply::TimedOut(why.to_sentence())),
                CallError::Model(error) => Some(NoReply::Model(error.clone())),
                CallError::Budget(why) => Some(NoReply::Budget(why.clone())),
            };
            why.into_iter().for_each(|why| self.handle.no_reply(why));
        }
        result
    }

    /// Reports a request that the gateway refused.
    pub(super) fn refused(&self, refusal: &Refusal) {
        self.handle.no_reply(NoReply::Refused(refusal.message.clone()));
    }
}

impl Refusal {
    /// Makes the refusal final, by giving it an HTTP status that no agent's client retries.
    pub(super) fn for_good(self) -> Self {
        Self { status: 402, again: false, retry_after: None, ..self }
    }
}
