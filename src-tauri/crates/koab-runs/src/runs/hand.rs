//! What of a run waits for the user's hand. An agent of that kind has one attempt.

use koab_engine::ports::HandTask;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// The answer of a program that is used by hand; `None` where it gave none.
pub(super) type HandAnswer = Option<String>;

/// What waits.
#[derive(Default)]
pub(crate) struct Hand(Mutex<Option<Waiting>>);

struct Waiting {
    task: HandTask,
    answer: oneshot::Sender<HandAnswer>,
}

impl Hand {
    /// What is to be carried now.
    pub(crate) fn task(&self) -> Option<HandTask> {
        self.waiting().as_ref().map(|waiting| waiting.task.clone())
    }

    /// Shows what is to be carried.
    pub(super) fn show(&self, task: HandTask) -> oneshot::Receiver<HandAnswer> {
        let (answer, given) = oneshot::channel();
        *self.waiting() = Some(Waiting { task, answer });
        given
    }

    /// Gives the answer; false where nobody waits for it.
    pub(super) fn answer(&self, answer: HandAnswer) -> bool {
        let waiting = self.waiting().take();
        waiting.is_some_and(|waiting| waiting.answer.send(answer).is_ok())
    }

    /// Takes away what is shown.
    pub(super) fn clear(&self) {
        *self.waiting() = None;
    }

    fn waiting(&self) -> MutexGuard<'_, Option<Waiting>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
