//! The prompt that the user gives to an agent by hand. A run with such an agent has only one
//! attempt, so there is at most one prompt.

use koab_engine::ports::HandTask;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// Answer of an agent that is used by hand; `None` if the agent gave no answer.
pub type HandAnswer = Option<String>;

/// The prompt that waits until the user has given it to the agent; empty if no prompt is waiting.
#[derive(Default)]
pub struct Hand(Mutex<Option<Waiting>>);

struct Waiting {
    task: HandTask,
    answer: oneshot::Sender<HandAnswer>,
}

impl Hand {
    /// Returns the prompt that is waiting.
    pub fn task(&self) -> Option<HandTask> {
        self.waiting().as_ref().map(|waiting| waiting.task.clone())
    }

    /// Makes a prompt wait for the user, and returns the receiver of its answer.
    pub fn show(&self, task: HandTask) -> oneshot::Receiver<HandAnswer> {
        let (answer, given) = oneshot::channel();
        *self.waiting() = Some(Waiting { task, answer });
        given
    }

    /// Passes an answer to the attempt. Returns `false` if no prompt is waiting for an answer.
    pub fn answer(&self, answer: HandAnswer) -> bool {
        let waiting = self.waiting().take();
        waiting.is_some_and(|waiting| waiting.answer.send(answer).is_ok())
    }

    /// Removes the waiting prompt.
    pub fn clear(&self) {
        *self.waiting() = None;
    }

    fn waiting(&self) -> MutexGuard<'_, Option<Waiting>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
