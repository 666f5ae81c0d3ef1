//! State of the fills in one process. A fill makes live calls for the cache misses of a run.

use koab_library::FillEnd;
use koab_workspace::jobs::JobState;
use std::collections::HashMap;
use std::sync::Arc;

/// The fills of this process.
#[derive(Default)]
pub(crate) struct Fills {
    /// Job of the last fill for each pack, by the pack's name.
    pub(super) jobs: HashMap<String, Arc<JobState>>,
    /// Result of the last fill of each run.
    pub(super) ends: HashMap<String, FillEnd>,
}
