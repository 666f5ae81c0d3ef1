//! Attempts that ended together are made safe together: a sync of the disk takes milliseconds, and
//! one serves all that were written before it began. Meanwhile the run goes on.

use crate::plan::Attempt;
use crate::ports::{StoreError, SyncWork};
use koab_core::run_record::AttemptSummary;
use koab_core::say;
use tokio::task::{JoinError, JoinHandle, spawn_blocking};

/// Attempts that may be written and not yet safe; beyond that the run waits for the disk.
const MOST: usize = 256;

type Ended = Vec<(Attempt, AttemptSummary)>;

/// Attempts on their way to the disk.
#[derive(Default)]
pub(super) struct Group {
    /// Written since the sync under way began.
    next: Ended,
    /// What the sync under way makes safe.
    current: Ended,
    sync: Option<JoinHandle<Result<(), StoreError>>>,
}

impl Group {
    pub(super) fn add(&mut self, attempt: Attempt, ended: AttemptSummary) {
        self.next.push((attempt, ended));
    }

    pub(super) fn has_room(&self) -> bool {
        self.next.len() + self.current.len() < MOST
    }

    pub(super) fn is_syncing(&self) -> bool {
        self.sync.is_some()
    }

    /// Whether attempts wait and no sync is under way.
    pub(super) fn waits(&self) -> bool {
        self.sync.is_none() && !self.next.is_empty()
    }

    /// Begins to make safe what is written; without anything to do it is so at once.
    pub(super) fn begin(&mut self, work: Option<SyncWork>) -> Option<Ended> {
        let ended = std::mem::take(&mut self.next);
        let Some(work) = work else { return Some(ended) };
        self.current = ended;
        self.sync = Some(spawn_blocking(work));
        None
    }

    /// The attempts that are safe once the sync under way is done. Safe to abandon.
    pub(super) async fn synced(&mut self) -> Result<Ended, StoreError> {
        let Some(sync) = &mut self.sync else {
            return Ok(Vec::new());
        };
        let done = sync.await;
        self.sync = None;
        let ended = std::mem::take(&mut self.current);
        outcome(done).map(|()| ended)
    }
}

/// Makes safe what was written, without anything beside it.
pub(super) async fn make_safe(work: SyncWork) -> Result<(), StoreError> {
    outcome(spawn_blocking(work).await)
}

fn outcome(done: Result<Result<(), StoreError>, JoinError>) -> Result<(), StoreError> {
    done.unwrap_or_else(|panic| {
        Err(StoreError(say!("the journal could not be made safe, by a fault of this program: {panic}")))
    })
}
