//! Counts the changes of jobs.

use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::watch;

/// The changes of all jobs of a process, counted.
#[derive(Default)]
pub(super) struct Changes(pub(super) watch::Sender<u64>);

impl Changes {
    /// One more change; `changed` is where its number belongs.
    pub(super) fn tell(&self, changed: &AtomicU64) {
        self.0.send_modify(|count| {
            *count += 1;
            // Under the lock of the count: whoever reads a count finds every number up to it.
            changed.store(*count, Ordering::Relaxed);
        });
    }
}
