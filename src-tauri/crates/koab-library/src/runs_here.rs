//! The runs of this process. The library lists them, and reads them while they are being made.

use crate::Library;
use crate::live::LiveRun;
use std::sync::{Arc, PoisonError};

impl Library {
    /// Returns the runs of this process, the newest last.
    pub fn runs_here(&self) -> std::sync::MutexGuard<'_, Vec<Arc<LiveRun>>> {
        self.inner.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a run of this process by its id.
    pub fn live_run(&self, run: &str) -> Option<Arc<LiveRun>> {
        // A run that was resumed in this process is here twice under its list id. The latest
        // session counts.
        self.runs_here().iter().rev().find(|live| live.is(run)).cloned()
    }
}
