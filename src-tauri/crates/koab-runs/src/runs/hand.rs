//! The prompt of a run that a user is to carry by hand. An agent that is used by hand has one
//! attempt.

use koab_engine::ports::HandTask;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// The answer of an agent that is used by hand; `None` where it gave none.
pub(super) type HandAnswer = Option<String>;

/// The prompt that waits for the user to carry it, if any.
#[derive(Default)]
pub(crate) struct Hand(Mutex<Option<Waiting>>);

struct Waiting {
    task: HandTask,
    answer: oneshot::Sender<HandAnswer>,
}

impl Hand {
    /// Returns the prompt to carry now.
    pub(crate) fn task(&self) -> Option<HandTask> {
        self.waiting().as_ref().map(|waiting| waiting.task.clone())
    }

    /// Shows a prompt, and returns the receiver of its answer.
    pub(super) fn show(&self, task: HandTask) -> oneshot::Receiver<HandAnswer> {
        let (answer, given) = oneshot::channel();
        *self.waiting() = Some(Waiting { task, answer });
        given
    }

    /// Passes the answer on. Returns false when no prompt is waiting for one.
    pub(super) fn answer(&self, answer: HandAnswer) -> bool {
        let waiting = self.waiting().take();
        waiting.is_some_and(|waiting| waiting.answer.send(answer).is_ok())
    }

    /// Removes the shown prompt.
    pub(super) fn clear(&self) {
        *self.waiting() = None;
    }

    fn waiting(&self) -> MutexGuard<'_, Option<Waiting>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
