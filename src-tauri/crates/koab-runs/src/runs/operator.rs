//! Agents that are used by hand from the window. The window shows the prompt and receives the
//! answer.

use crate::Runs;
use async_trait::async_trait;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::ports::{HandTask, Operator};
use koab_library::live::LiveRun;
use koab_workspace::WireError;
use std::sync::Arc;

/// The user at the window, as the operator of an agent that is used by hand.
pub(crate) struct Window(pub(crate) Arc<LiveRun>);

#[async_trait]
impl Operator for Window {
    async fn carry(&self, task: HandTask) -> Result<Option<String>, Sentence> {
        let answer = self.0.hand.show(task);
        // An attempt that times out or is cancelled drops this future, which removes the prompt.
        let _shown = Shown(&self.0);
        self.0.job.news();
        Ok(answer.await.ok().flatten())
    }
}

/// Removes the displayed prompt from the window on drop, also when the attempt is cancelled.
struct Shown<'a>(&'a LiveRun);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        self.0.hand.clear();
        self.0.job.news();
    }
}

impl Runs {
    /// Passes on the answer of an agent that is used by hand; `None` if the agent gave no answer.
    ///
    /// # Errors
    /// When no task of the run is waiting for an answer.
    pub fn run_answer(&self, run: &str, answer: Option<String>) -> Result<(), WireError> {
        match self.library.live_run(run) {
            Some(live) if live.hand.answer(answer) => Ok(()),
            _ => Err(WireError::not_found(say!(
                "no task of the run {run} waits for an answer by hand any more"
            ))),
        }
    }
}
