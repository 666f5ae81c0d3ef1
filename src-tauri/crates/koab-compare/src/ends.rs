//! How sweeps of this process ended, which nothing on the disk says.

use koab_core::sentence::Sentence;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// By the id of the sweep.
#[derive(Default)]
pub(crate) struct Ends(Mutex<HashMap<String, Ended>>);

/// How a sweep ended.
#[derive(Clone)]
pub(crate) struct Ended {
    /// Why before its last run.
    pub(crate) stopped: Option<Sentence>,
    /// Its runs that could not go on.
    pub(crate) failed: Vec<Sentence>,
}

impl Ends {
    /// The last end of a sweep.
    pub(crate) fn last(&self, id: &str) -> Option<Ended> {
        self.all().get(id).cloned()
    }

    /// A sweep has ended.
    pub(crate) fn note(&self, id: String, ended: Ended) {
        self.all().insert(id, ended);
    }

    /// A sweep goes on.
    pub(crate) fn forget(&self, id: &str) {
        self.all().remove(id);
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, Ended>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
