//! Progress of a job that makes several runs.

use koab_core::event::{RunEvent, RunEventKind};
use koab_engine::ports::EventSink;
use koab_workspace::WireError;
use koab_workspace::jobs::Underway;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the ended attempts of a job's runs and reports the number to the job.
pub(crate) struct Progress {
    job: Underway,
    done: AtomicU64,
    all: u64,
}

impl Progress {
    pub(crate) fn new(job: Underway, all: u64) -> Self {
        job.progress(0, all);
        Self { job, done: AtomicU64::new(0), all }
    }

    /// Ends the job with the result of its work.
    pub(crate) fn finish<T>(&self, result: Result<T, WireError>) {
        let _ = self.job.finish(result);
    }
}

impl EventSink for Progress {
    fn send(&self, event: &RunEvent) {
        match &event.kind {
            RunEventKind::AttemptFinished { .. } => {
                let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
                self.job.progress(done.min(self.all), self.all);
            }
            RunEventKind::RunStarted { .. } | RunEventKind::RunFinished { .. } => self.job.news(),
            _ => {}
        }
    }
}
