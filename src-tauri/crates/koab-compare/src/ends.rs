//! Outcomes of the sweeps that this process ran. They are not stored on disk.

use koab_core::sentence::Sentence;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Outcomes by sweep id.
#[derive(Default)]
pub(crate) struct Ends(Mutex<HashMap<String, Ended>>);

/// Outcome of a sweep.
#[derive(Clone)]
pub(crate) struct Ended {
    /// Reason why the sweep ended before its last run.
    pub(crate) stopped: Option<Sentence>,
    /// Errors of the runs that failed.
    pub(crate) failed: Vec<Sentence>,
}

impl Ends {
    /// Outcome of the sweep when it was last performed.
    pub(crate) fn last(&self, id: &str) -> Option<Ended> {
        self.all().get(id).cloned()
    }

    /// Records the outcome of a sweep.
    pub(crate) fn note(&self, id: String, ended: Ended) {
        self.all().insert(id, ended);
    }

    /// Forgets the outcome of a sweep, because it is running again.
    pub(crate) fn forget(&self, id: &str) {
        self.all().remove(id);
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, Ended>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
