//! Syncs ended attempts to the disk in groups.
//!
//! One sync takes milliseconds and covers all attempts that were written before it began. The run
//! continues during a sync.

use crate::plan::Attempt;
use crate::ports::{StoreError, SyncWork};
use koab_core::run_record::AttemptSummary;
use koab_core::say;
use tokio::task::{JoinError, JoinHandle, spawn_blocking};

/// Maximum number of attempts that are written but not synced. At this number the run waits for the
/// disk.
const MAX_UNSYNCED: usize = 256;

type Ended = Vec<(Attempt, AttemptSummary)>;

/// Attempts that are not yet synced to the disk.
#[derive(Default)]
pub(super) struct Group {
    /// Attempts written since the current sync began.
    next: Ended,
    /// Attempts that the current sync covers.
    current: Ended,
    sync: Option<JoinHandle<Result<(), StoreError>>>,
}

impl Group {
    pub(super) fn add(&mut self, attempt: Attempt, ended: AttemptSummary) {
        self.next.push((attempt, ended));
    }

    pub(super) fn has_room(&self) -> bool {
        self.next.len() + self.current.len() < MAX_UNSYNCED
    }

    pub(super) fn is_syncing(&self) -> bool {
        self.sync.is_some()
    }

    /// Whether attempts wait for a sync and no sync is running.
    pub(super) fn waits(&self) -> bool {
        self.sync.is_none() && !self.next.is_empty()
    }

    /// Begins a sync of the written attempts. Without sync work, it returns the attempts at once.
    pub(super) fn begin(&mut self, work: Option<SyncWork>) -> Option<Ended> {
        let attempts = std::mem::take(&mut self.next);
        let Some(work) = work else { return Some(attempts) };
        self.current = attempts;
        self.sync = Some(spawn_blocking(work));
        None
    }

    /// Waits for the current sync and returns its attempts. The returned future may be dropped at
    /// any time.
    pub(super) async fn synced(&mut self) -> Result<Ended, StoreError> {
        let Some(sync) = &mut self.sync else {
            return Ok(Vec::new());
        };
        let done = sync.await;
        self.sync = None;
        let attempts = std::mem::take(&mut self.current);
        outcome(done).map(|()| attempts)
    }
}

/// Syncs written data that belongs to no attempt.
pub(super) async fn make_safe(work: SyncWork) -> Result<(), StoreError> {
    outcome(spawn_blocking(work).await)
}

fn outcome(done: Result<Result<(), StoreError>, JoinError>) -> Result<(), StoreError> {
    done.unwrap_or_else(|panic| {
        Err(StoreError(say!("the journal could not be made safe, by a fault of this program: {panic}")))
    })
}
