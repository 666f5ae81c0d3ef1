//! What one process holds of fills.

use crate::wire::FillEnd;
use koab_workspace::jobs::JobState;
use std::collections::HashMap;
use std::sync::Arc;

/// The fills of this process.
#[derive(Default)]
pub(crate) struct Fills {
    /// The last fill beside each pack, by the pack's name.
    pub(super) jobs: HashMap<String, Arc<JobState>>,
    /// How the last fill of each run ended.
    pub(super) ends: HashMap<String, FillEnd>,
}
