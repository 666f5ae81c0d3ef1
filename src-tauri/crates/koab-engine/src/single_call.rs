//! One call outside of runs and judgings: the same gate, retries and time limit as a turn of a run.

use crate::budget::NoBudget;
use crate::ports::{Cancel, ModelAdapter, ModelError, ModelReply, ModelRequest, Pause};
use crate::retry::RetryPolicy;
use crate::turn::{Control, Deadline, TurnFault, ask};
use std::time::Duration;

/// Why a call has no answer.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum Unanswered {
    /// Its time was up. Waits for a place, the budget or the server do not count against it.
    #[error("the model did not answer within {} s", .0.as_secs())]
    TimedOut(Duration),
    /// Whoever asked does not want to know any more.
    #[error("cancelled")]
    Cancelled,
    /// The model, or the way to it.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The call might pass a cap; nothing was sent.
    #[error(transparent)]
    Budget(#[from] NoBudget),
}

/// Asks a model once, through its gate if it has one.
///
/// # Errors
/// See [`Unanswered`].
pub async fn ask_once(
    model: &dyn ModelAdapter,
    request: ModelRequest<'_>,
    retry: &RetryPolicy,
    limit: Duration,
    cancel: &Cancel,
) -> Result<ModelReply, Unanswered> {
    let mut deadline = Deadline::after(limit);
    // Only runs are paused.
    let pause = Pause::default();
    let control = Control {
        cancel,
        pause: &pause,
    };
    ask(model, request, retry, &mut deadline, control, |_| {})
        .await
        .map_err(|fault| match fault {
            TurnFault::TimedOut => Unanswered::TimedOut(limit),
            TurnFault::Cancelled => Unanswered::Cancelled,
            TurnFault::Model(error) => error.into(),
            TurnFault::Budget(error) => error.into(),
        })
}
