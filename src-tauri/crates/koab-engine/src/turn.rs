//! One model turn: waits while the run is paused, passes the gate, asks, repeats what may pass, and
//! really ends when the task's time is up or the run is cancelled.

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

/// Time left to a task. Waits for a server, a place, the budget or the end of a pause do not count
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

    /// The whole time again, for the next turn of a conversation.
    pub(crate) fn renew(&mut self) {
        self.at = Instant::now() + self.limit;
    }

    pub(crate) fn passed(&self) -> bool {
        Instant::now() >= self.at
    }

    /// When it passes.
    pub(crate) fn at(&self) -> Instant {
        self.at
    }

    /// Time that the task has taken in an earlier start.
    pub(crate) fn spent(&mut self, time: Duration) {
        self.at = self.at.checked_sub(time).unwrap_or(self.at);
    }

    /// Time that was spent waiting and not on the task.
    pub(crate) fn waited(&self) -> Duration {
        self.waited
    }

    fn pushed(&mut self, wait: Duration) {
        self.at += wait;
        self.waited += wait;
    }

    /// The sentence of the published log.
    pub(crate) fn sentence(&self) -> Sentence {
        say!("Task exceeded timeout of {} seconds", self.limit.as_secs_f64())
    }
}

/// Why a turn gave no reply.
pub(crate) enum TurnFault {
    TimedOut,
    Cancelled,
    Model(ModelError),
    /// The call might pass a cap.
    Budget(NoBudget),
}

/// What the user can do to a turn.
#[derive(Clone, Copy)]
pub(crate) struct Control<'a> {
    pub(crate) cancel: &'a Cancel,
    pub(crate) pause: &'a Pause,
}

/// How far a turn is.
pub(crate) enum Stage<'a> {
    /// A wait begins: why, how long when that is known, and what a call failed with where it is
    /// made again.
    Waits(&'a Sentence, Option<Duration>, Option<CallFault>),
    /// The call goes out.
    GoesOut,
    /// The call ended without an answer.
    Failed { fault: CallFault, message: &'a Sentence, took: Duration },
}

/// What a call in flight holds.
struct Pass<'a> {
    place: CallSlot<'a>,
    hold: Reservation<'a>,
}

/// Asks the model once, with retries. `tell` hears of every wait before it begins, of every call
/// that goes out, and of every one that ends without an answer.
pub(crate) async fn ask(
    model: &dyn ModelAdapter,
    request: ModelRequest<'_>,
    retry: &RetryPolicy,
    deadline: &mut Deadline,
    Control { cancel, pause }: Control<'_>,
    tell: impl Fn(Stage<'_>) + Sync,
) -> Result<ModelReply, TurnFault> {
    let waiting = |why: &Sentence, wait: Option<Duration>| tell(Stage::Waits(why, wait, None));
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
            // Whoever let the run go on wants to know whether the server is back, and not to see
            // the last of these tries fail.
            tries = retry.begin();
        }
        tell(Stage::GoesOut);
        let sent = Instant::now();
        // Dropping the call's future is what ends a hanging server's hold on us.
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
            // Nobody worked on the task.
            deadline.pushed(sent.elapsed());
        }
        let message = error.to_sentence();
        tell(Stage::Failed { fault: error.fault(), message: &message, took: sent.elapsed() });
        // What is heard cannot be taken back.
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
        tell(Stage::Waits(&message, Some(wait), Some(error.fault())));
        let _rest = model.limits().map(|limits| limits.limiter.rest());
        tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(TurnFault::Cancelled),
            () = sleep(wait) => deadline.pushed(wait),
        }
    }
}

/// Waits for the end of a pause, then passes the gate, if there is one: first a place, then the
/// budget, so that nobody holds money while standing in line. Whoever stood in line when a pause
/// began gives up what it got.
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
        // The budget may have taken its time.
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
            // A wait that is not worth it ends this run; others that share the limiter are not to
            // sleep through it.
            let wait = error.asked_wait().filter(|_| !retry.asks_too_much(error));
            self.place.slow_down(wait, &error.to_sentence());
        }
        if error.costs_nothing() {
            self.hold.refused();
        }
    }
}
