//! Counter of the changes of jobs.

use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::watch;

/// Counter of the changes of all jobs in a process.
#[derive(Default)]
pub(super) struct Changes(pub(super) watch::Sender<u64>);

impl Changes {
    /// Counts one more change, and stores its number in `changed`.
    pub(super) fn tell(&self, changed: &AtomicU64) {
        self.0.send_modify(|count| {
            *count += 1;
            // Stored under the counter's lock, so that a reader of the count finds every number up
            // to it.
            changed.store(*count, Ordering::Relaxed);
        });
    }
}
