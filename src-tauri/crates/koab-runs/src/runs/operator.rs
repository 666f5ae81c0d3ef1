//! Agents that are used by hand, from the window: it shows what is to be carried, and takes the
//! answer.

use super::live::LiveRun;
use crate::Runs;
use crate::wire::WireError;
use async_trait::async_trait;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::ports::{HandTask, Operator};
use std::sync::Arc;

/// The user at the window that shows a run.
pub(crate) struct Window(pub(crate) Arc<LiveRun>);

#[async_trait]
impl Operator for Window {
    async fn carry(&self, task: HandTask) -> Result<Option<String>, Sentence> {
        let given = self.0.hand.show(task);
        // An attempt that runs out of time or is cancelled drops this future, and waits for nobody
        // then.
        let _shown = Shown(&self.0);
        self.0.job.news();
        Ok(given.await.ok().flatten())
    }
}

/// Takes away what is shown.
struct Shown<'a>(&'a LiveRun);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        self.0.hand.clear();
        self.0.job.news();
    }
}

impl Runs {
    /// Gives the answer of a program that is used by hand; `None` where it gave none.
    ///
    /// # Errors
    /// When no task of the run waits for it (any more).
    pub fn run_answer(&self, run: &str, answer: Option<String>) -> Result<(), WireError> {
        match self.library.live_run(run) {
            Some(live) if live.hand.answer(answer) => Ok(()),
            _ => Err(WireError::not_found(say!(
                "no task of the run {run} waits for an answer by hand any more"
            ))),
        }
    }
}
