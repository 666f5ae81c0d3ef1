//! One model turn: asks, repeats what may pass, and really ends when the task's time is up or the run is cancelled.

use crate::ports::{Cancel, ModelAdapter, ModelError, ModelReply, ModelRequest};
use crate::retry::RetryPolicy;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};

/// Time left to a task. Waits that a server asked for do not count against it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    at: Instant,
    limit: Duration,
}

impl Deadline {
    pub(crate) fn after(limit: Duration) -> Self {
        Self {
            at: Instant::now() + limit,
            limit,
        }
    }

    pub(crate) fn passed(&self) -> bool {
        Instant::now() >= self.at
    }

    /// The sentence of the published log.
    pub(crate) fn sentence(&self) -> String {
        format!("Task exceeded timeout of {} seconds", self.limit.as_secs_f64())
    }
}

/// Why a turn gave no reply.
pub(crate) enum TurnFault {
    TimedOut,
    Cancelled,
    Model(ModelError),
}

/// Asks the model once, with retries. `waiting` hears of every wait before it begins.
pub(crate) async fn ask(
    model: &dyn ModelAdapter,
    request: ModelRequest<'_>,
    retry: &RetryPolicy,
    deadline: &mut Deadline,
    cancel: &Cancel,
    waiting: impl Fn(&ModelError, Duration),
) -> Result<ModelReply, TurnFault> {
    let mut made = 0;
    loop {
        // Dropping the call's future is what ends a hanging server's hold on us.
        let reply = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(TurnFault::Cancelled),
            reply = timeout_at(deadline.at, model.complete(request.clone())) => reply,
        };
        let error = match reply {
            Err(_elapsed) => return Err(TurnFault::TimedOut),
            Ok(Ok(reply)) => return Ok(reply),
            Ok(Err(error)) => error,
        };
        made += 1;
        let Some(wait) = retry.wait_after(made, &error) else {
            return Err(TurnFault::Model(error));
        };
        waiting(&error, wait);
        deadline.at += wait;
        tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(TurnFault::Cancelled),
            () = sleep(wait) => {}
        }
    }
}
