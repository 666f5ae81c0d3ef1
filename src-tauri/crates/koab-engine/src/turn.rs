//! One model turn: waits, calls the model, and retries transient failures.
//!
//! The turn waits while the run is paused and for the limits on calls. It ends at once when the
//! task's time limit is reached or the run is cancelled.

use crate::budget::{NoBudget, Reservation};
use crate::limiter::CallSlot;
use crate::ports::{Cancel, Listener, ModelAdapter, ModelError, ModelReply, ModelRequest, Pause};
use crate::retry::RetryPolicy;
use koab_core::event::CallFault;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};

/// Time limit of a task. Waits for a server, a place, the budget or the end of a pause do not count
/// against it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    at: Instant,
    limit: Duration,
    waited: Duration,
}

impl Deadline {
    pub(crate) fn after(limit: Duration) -> Self {
        Self { at: Instant::now() + limit, limit, waited: Duration::ZERO }
    }

    /// Begins the time limit again, for the next turn of a conversation.
    pub(crate) fn renew(&mut self) {
        self.at = Instant::now() + self.limit;
    }

    pub(crate) fn passed(&self) -> bool {
        Instant::now() >= self.at
    }

    /// Time of the deadline.
    pub(crate) fn at(&self) -> Instant {
        self.at
    }

    /// Subtracts time that the task took in an earlier start.
    pub(crate) fn spent(&mut self, time: Duration) {
        self.at = self.at.checked_sub(time).unwrap_or(self.at);
    }

    /// Time that was spent waiting. It does not count as the task's time.
    pub(crate) fn waited(&self) -> Duration {
        self.waited
    }

    fn pushed(&mut self, wait: Duration) {
        self.at += wait;
        self.waited += wait;
    }

    /// Message for a passed deadline, as in the published log.
    pub(crate) fn sentence(&self) -> Sentence {
        say!("Task exceeded timeout of {} seconds", self.limit.as_secs_f64())
    }
}

/// Reason why a turn has no reply.
pub(crate) enum TurnFault {
    TimedOut,
    Cancelled,
    Model(ModelError),
    /// The call might exceed a cap.
    Budget(NoBudget),
}

/// The user's controls of a turn: cancel and pause.
#[derive(Clone, Copy)]
pub(crate) struct Control<'a> {
    pub(crate) cancel: &'a Cancel,
    pub(crate) pause: &'a Pause,
}

/// A stage of a turn that is reported.
pub(crate) enum Stage<'a> {
    /// A wait begins, with its reason, its length if known, and the failure before a retry.
    WaitBegan(&'a Sentence, Option<Duration>, Option<CallFault>),
    /// The call is sent.
    CallSent,
    /// The call ended without an answer.
    Failed { fault: CallFault, message: &'a Sentence, took: Duration },
}

/// Permission to send a call: its place in the limiter and its reserved amount.
struct Pass<'a> {
    place: CallSlot<'a>,
    hold: Reservation<'a>,
}

/// Makes one model call, with retries. `tell` receives every wait before it begins, every call that
/// is sent, and every call that ends without an answer.
pub(crate) async fn ask(
    model: &dyn ModelAdapter,
    request: ModelRequest<'_>,
    retry: &RetryPolicy,
    deadline: &mut Deadline,
    Control { cancel, pause }: Control<'_>,
    tell: impl Fn(Stage<'_>) + Sync,
) -> Result<ModelReply, TurnFault> {
    let waiting = |why: &Sentence, wait: Option<Duration>| tell(Stage::WaitBegan(why, wait, None));
    let mut tries = retry.begin();
    loop {
        let came = Instant::now();
        let was_held = pause.is_on();
        let pass = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(TurnFault::Cancelled),
            pass = pass(model, &request, pause, &waiting) => pass.map_err(TurnFault::Budget)?,
        };
        deadline.pushed(came.elapsed());
        if was_held {
            // The user who resumed the run wants to know whether the server is back, and not to see
            // the last try fail.
            tries = retry.begin();
        }
        tell(Stage::CallSent);
        let sent = Instant::now();
        // Dropping the call's future ends the wait for a server that hangs.
        let reply = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(TurnFault::Cancelled),
            reply = timeout_at(deadline.at, model.complete(request.clone())) => reply,
        };
        let error = match reply {
            Err(_elapsed) => {
                tell(Stage::Failed {
                    fault: CallFault::TimedOut,
                    message: &deadline.sentence(),
                    took: sent.elapsed(),
                });
                return Err(TurnFault::TimedOut);
            }
            Ok(Ok(reply)) => {
                if let Some(pass) = pass {
                    pass.place.succeeded();
                    pass.hold.answered(reply.usage);
                }
                return Ok(reply);
            }
            Ok(Err(error)) => error,
        };
        if error.fault() == CallFault::Unreachable {
            // No server worked on the task.
            deadline.pushed(sent.elapsed());
        }
        let message = error.to_sentence();
        tell(Stage::Failed { fault: error.fault(), message: &message, took: sent.elapsed() });
        // Streamed text cannot be taken back.
        let heard = request.listener.is_some_and(Listener::has_heard);
        let wait = tries.wait_after(&error).filter(|_| !heard);
        if let Some(pass) = pass {
            pass.failed(&error, retry);
        }
        let Some(wait) = wait else {
            if error.fault() == CallFault::Unreachable && !heard && pause.wait_for_server(&message) {
                tries = retry.begin();
                continue;
            }
            return Err(TurnFault::Model(error));
        };
        tell(Stage::WaitBegan(&message, Some(wait), Some(error.fault())));
        let _rest = model.limits().map(|limits| limits.limiter.rest());
        let waited = Instant::now();
        tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(TurnFault::Cancelled),
            () = sleep(wait) => deadline.pushed(wait),
            // Another server has not failed yet.
            () = moved(model) => {
                deadline.pushed(waited.elapsed());
                tries = retry.begin();
            }
        }
    }
}

/// Completes as soon as the model has another address.
async fn moved(model: &dyn ModelAdapter) {
    match model.limits() {
        Some(limits) => limits.limiter.renewed().await,
        None => std::future::pending().await,
    }
}

/// Waits for the end of a pause, then for a place in the limiter, then for the budget.
///
/// The budget comes last, so that a waiting call has no reserved amount. If a pause began during a
/// wait, the call gives up its place and its reserved amount.
async fn pass<'a>(
    model: &'a dyn ModelAdapter,
    request: &ModelRequest<'_>,
    pause: &Pause,
    waiting: &(impl Fn(&Sentence, Option<Duration>) + Sync),
) -> Result<Option<Pass<'a>>, NoBudget> {
    let most_output = model.most_output(request);
    loop {
        if pause.is_on() {
            waiting(&say!("the run is paused"), None);
            pause.until(false).await;
        }
        let Some(limits) = model.limits() else {
            return Ok(None);
        };
        let place = limits.limiter.enter(waiting).await;
        if pause.is_on() {
            continue;
        }
        let hold = limits.budget.hold(request, most_output, waiting).await?;
        // The wait for the budget may have taken some time.
        if pause.is_on() || !place.may_go_out() {
            hold.refused();
            continue;
        }
        return Ok(Some(Pass { place, hold }));
    }
}

impl Pass<'_> {
    fn failed(self, error: &ModelError, retry: &RetryPolicy) {
        if error.asks_for_fewer() {
            // A wait that is too long ends this run. Others that share the limiter must not sleep
            // through it.
            let wait = error.asked_wait().filter(|_| !retry.asks_too_much(error));
            self.place.slow_down(wait, &error.to_sentence());
        }
        if error.costs_nothing() {
            self.hold.refused();
        }
    }
}
