//! Calls of a model that an agent makes in an attempt of a run: the attempt hears of each before
//! the agent does.

use super::refusal::Refusal;
use koab_core::sentence::ToSentence as _;
use koab_engine::ports::{
    AttemptHandle, AttemptRef, Cancel, ModelAdapter, ModelReply, ModelRequest, NoReply, Pause,
};
use koab_engine::retry::RetryPolicy;
use koab_engine::single_call::{CallError, ask_for_attempt};
use std::time::Duration;

/// The attempt behind a trial.
#[derive(Clone, Debug)]
pub struct AttemptCalls {
    /// Task id; servers never see it.
    pub task: String,
    /// 1-based.
    pub repetition: u32,
    /// Calls that it may make.
    pub most: u32,
    /// Who hears of them.
    pub handle: AttemptHandle,
    /// Holds them while the run is held.
    pub pause: Pause,
}

impl AttemptCalls {
    /// Asks the model as the run itself would: agents give up or go on by rules of their own where
    /// a server refuses, so that what may pass is repeated here.
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
        let asked = ask_for_attempt(model, request, &retry, limit, (left, &self.pause), &self.handle).await;
        if let Err(why) = &asked {
            let why = match why {
                // Whoever left does not hear of anything.
                CallError::Cancelled => None,
                CallError::TimedOut(_) => Some(NoReply::TimedOut(why.to_sentence())),
                CallError::Model(error) => Some(NoReply::Model(error.clone())),
                CallError::Budget(why) => Some(NoReply::Budget(why.clone())),
            };
            why.into_iter().for_each(|why| self.handle.no_reply(why));
        }
        asked
    }

    /// A request that was not carried.
    pub(super) fn refused(&self, refusal: &Refusal) {
        self.handle.no_reply(NoReply::Refused(refusal.message.clone()));
    }
}

impl Refusal {
    /// What ends an attempt: a status that no agent's client repeats.
    pub(super) fn for_good(self) -> Self {
        Self { status: 402, again: false, retry_after: None, ..self }
    }
}
