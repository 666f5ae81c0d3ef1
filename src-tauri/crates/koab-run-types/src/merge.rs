//! Result of merging the shards of a run.

use koab_core::sentence::Sentence;
use serde::Serialize;
use ts_rs::TS;

/// Result of a merge of shards into a run.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct RunMerge {
    /// Run id.
    pub run: String,
    /// Attempts that the merge added to the run.
    pub attempts: u32,
    /// Attempts that two workers of the same shard made; the earliest counts.
    pub doubled: u32,
    /// Planned attempts.
    pub planned: u32,
    /// Attempts that have ended.
    pub done: u32,
    /// Attempts that ended for technical reasons; resuming makes them again.
    pub failed: u32,
    /// Attempts that are still to be made.
    pub missing: u32,
    /// Damaged lines in the shards' journals, one sentence each.
    pub problems: Vec<Sentence>,
    /// Path of the run's folder.
    pub folder: String,
}
