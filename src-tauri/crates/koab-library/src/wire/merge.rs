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
    /// Number of attempts that the merge added to the run.
    pub attempts: u32,
    /// Number of attempts that two workers of the same shard made. The earliest of them counts.
    pub doubled: u32,
    /// Number of planned attempts.
    pub planned: u32,
    /// Number of attempts that have ended.
    pub done: u32,
    /// Number of attempts that ended for technical reasons. Resuming the run makes them again.
    pub failed: u32,
    /// Number of attempts that are still to be made.
    pub missing: u32,
    /// Damaged lines in the shards' journals, one sentence each.
    pub problems: Vec<Sentence>,
    /// Path of the run's folder.
    pub folder: String,
}
