//! What merging the parts of a run came to.

use koab_core::sentence::Sentence;
use serde::Serialize;
use ts_rs::TS;

/// What a merge took into a run.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct RunMerge {
    /// The run, by its id.
    pub run: String,
    /// Attempts that it did not have before.
    pub attempts: u32,
    /// Attempts that two starts of a part made; the earliest counts.
    pub doubled: u32,
    /// Attempts of the plan.
    pub planned: u32,
    /// Attempts that have ended.
    pub done: u32,
    /// Attempts that ended for technical reasons; resuming makes them again.
    pub failed: u32,
    /// Attempts that are still to be made.
    pub missing: u32,
    /// Damaged lines of parts, one sentence each.
    pub problems: Vec<Sentence>,
    /// The run's folder.
    pub folder: String,
}
