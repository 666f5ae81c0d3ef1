//! One call outside of runs and judgings: the same gate, retries and time limit as a turn of a run.

use crate::budget::NoBudget;
use crate::ports::{Cancel, Desk, ModelAdapter, ModelError, ModelReply, ModelRequest, Pause};
use crate::retry::RetryPolicy;
use crate::turn::{Control, Deadline, Stage, TurnFault, ask};
use std::sync::atomic::{AtomicBool, Ordering};
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
        .map_err(|fault| unanswered(fault, limit))
}

/// As [`ask_once`], for an agent's attempt: held while its run is held, and the attempt hears of every wait.
///
/// # Errors
/// See [`Unanswered`].
pub async fn ask_for_attempt(
    model: &dyn ModelAdapter,
    request: ModelRequest<'_>,
    retry: &RetryPolicy,
    limit: Duration,
    (cancel, pause): (&Cancel, &Pause),
    desk: &Desk,
) -> Result<ModelReply, Unanswered> {
    let mut deadline = Deadline::after(limit);
    let waits = Waits {
        desk,
        on: AtomicBool::new(false),
    };
    let tell = |stage: Stage<'_>| match stage {
        Stage::Waits(why, wait, fault) => waits.begin(|desk| desk.waits(why.clone(), wait, fault)),
        Stage::GoesOut => {
            waits.end();
            desk.goes_out();
        }
        Stage::Failed { .. } => {}
    };
    ask(
        model,
        request,
        retry,
        &mut deadline,
        Control { cancel, pause },
        tell,
    )
    .await
    .map_err(|fault| unanswered(fault, limit))
}

/// A wait that an attempt was told of; it hears of its end however that comes.
struct Waits<'a> {
    desk: &'a Desk,
    on: AtomicBool,
}

impl Waits<'_> {
    fn begin(&self, tell: impl FnOnce(&Desk)) {
        self.end();
        self.on.store(true, Ordering::Relaxed);
        tell(self.desk);
    }

    fn end(&self) {
        if self.on.swap(false, Ordering::Relaxed) {
            self.desk.waits_no_more();
        }
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.end();
    }
}

fn unanswered(fault: TurnFault, limit: Duration) -> Unanswered {
    match fault {
        TurnFault::TimedOut => Unanswered::TimedOut(limit),
        TurnFault::Cancelled => Unanswered::Cancelled,
        TurnFault::Model(error) => error.into(),
        TurnFault::Budget(error) => error.into(),
    }
}
