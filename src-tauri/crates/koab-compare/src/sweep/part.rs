//! A run of a sweep, and the state of that run in the workspace.

use koab_core::event::RunOutcome;
use koab_core::run_record::Spending;
use koab_core::sentence::Sentence;
use koab_library::RunRequest;
use koab_store::run_folder::RunFolder;

/// A run of a sweep.
pub(super) struct Part {
    pub(super) cell: usize,
    pub(super) pack: String,
    pub(super) request: RunRequest,
    pub(super) found: Option<Made>,
    /// Whether judges must still judge the run.
    pub(super) is_to_judge: bool,
}

/// A run that exists in the workspace.
#[derive(Clone)]
pub(super) struct Made {
    pub(super) id: String,
    pub(super) run: RunFolder,
    pub(super) is_complete: bool,
    pub(super) failed: u32,
    /// Spending of all starts of the run, including starts that were killed.
    pub(super) spending: Option<Spending>,
    /// Outcome of the run's last start; `None` while it is running or when it was killed.
    pub(super) outcome: Option<RunOutcome>,
    /// Reason why the run ended early.
    pub(super) reason: Option<Sentence>,
}
