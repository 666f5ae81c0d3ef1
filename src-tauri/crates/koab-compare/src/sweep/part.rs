//! A run of a sweep, and what is there of it.

use koab_core::event::RunOutcome;
use koab_core::run_record::Spending;
use koab_core::sentence::Sentence;
use koab_runs::RunRequest;
use koab_store::run_folder::RunFolder;

/// A run of a sweep.
pub(super) struct Part {
    pub(super) cell: usize,
    pub(super) pack: String,
    pub(super) request: RunRequest,
    pub(super) found: Option<Made>,
    /// Whether judges are still to be asked.
    pub(super) is_to_judge: bool,
}

/// A run that is there already.
#[derive(Clone)]
pub(super) struct Made {
    pub(super) id: String,
    pub(super) run: RunFolder,
    pub(super) is_complete: bool,
    pub(super) failed: u32,
    /// What all of its starts took, those that were killed included.
    pub(super) spending: Option<Spending>,
    /// How its last start ended; nothing while it goes on, or where it was killed.
    pub(super) outcome: Option<RunOutcome>,
    /// Why it ended early.
    pub(super) reason: Option<Sentence>,
}
