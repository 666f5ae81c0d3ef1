//! A single model call outside of runs and judging, with the same limits, retries and time limit as
//! a turn of a run.

use crate::budget::NoBudget;
use crate::ports::{AttemptHandle, Cancel, ModelAdapter, ModelError, ModelReply, ModelRequest, Pause};
use crate::retry::RetryPolicy;
use crate::turn::{Control, Deadline, Stage, TurnFault, ask};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Reason why a call has no answer.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum CallError {
    /// The call's time limit passed. Waits for a place, the budget or the server do not count.
    #[error("the model did not answer within {} s", .0.as_secs())]
    TimedOut(Duration),
    /// The caller cancelled the call.
    #[error("cancelled")]
    Cancelled,
    /// The model or the connection to it failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The call might exceed a cap. Nothing was sent.
    #[error(transparent)]
    Budget(#[from] NoBudget),
}

/// Makes one call of a model, within its limits if it has any.
///
/// # Errors
/// See [`CallError`].
pub async fn ask_once(
    model: &dyn ModelAdapter,
    request: ModelRequest<'_>,
    retry: &RetryPolicy,
    limit: Duration,
    cancel: &Cancel,
) -> Result<ModelReply, CallError> {
    let mut deadline = Deadline::after(limit);
    // Only runs are paused.
    let pause = Pause::default();
    let control = Control { cancel, pause: &pause };
    ask(model, request, retry, &mut deadline, control, |_| {}).await.map_err(|fault| unanswered(fault, limit))
}

/// Makes one model call for an agent's attempt. It waits while the run is paused, and reports every
/// wait to the attempt.
///
/// # Errors
/// See [`CallError`].
pub async fn ask_for_attempt(
    model: &dyn ModelAdapter,
    request: ModelRequest<'_>,
    retry: &RetryPolicy,
    limit: Duration,
    (cancel, pause): (&Cancel, &Pause),
    handle: &AttemptHandle,
) -> Result<ModelReply, CallError> {
    let mut deadline = Deadline::after(limit);
    let waits = Waits { handle, on: AtomicBool::new(false) };
    let tell = |stage: Stage<'_>| match stage {
        Stage::WaitBegan(why, wait, fault) => waits.begin(|handle| handle.waits(why.clone(), wait, fault)),
        Stage::CallSent => {
            waits.end();
            handle.goes_out();
        }
        Stage::Failed { .. } => {}
    };
    ask(model, request, retry, &mut deadline, Control { cancel, pause }, tell)
        .await
        .map_err(|fault| unanswered(fault, limit))
}

/// A wait that was reported to an attempt. Dropping the value reports the end of the wait, if that
/// has not been reported yet.
struct Waits<'a> {
    handle: &'a AttemptHandle,
    on: AtomicBool,
}

impl Waits<'_> {
    fn begin(&self, tell: impl FnOnce(&AttemptHandle)) {
        self.end();
        self.on.store(true, Ordering::Relaxed);
        tell(self.handle);
    }

    fn end(&self) {
        if self.on.swap(false, Ordering::Relaxed) {
            self.handle.waits_no_more();
        }
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.end();
    }
}

fn unanswered(fault: TurnFault, limit: Duration) -> CallError {
    match fault {
        TurnFault::TimedOut => CallError::TimedOut(limit),
        TurnFault::Cancelled => CallError::Cancelled,
        TurnFault::Model(error) => error.into(),
        TurnFault::Budget(error) => error.into(),
    }
}
