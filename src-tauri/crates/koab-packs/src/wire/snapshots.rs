//! Snapshots of cached responses.

use koab_core::finding::Problem;
use koab_store::SnapshotInfo;
use koab_store::snapshots::{AnswerDifference, AnswerDifferenceTool, SnapshotTool};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Snapshots of a pack, and the number of calls that the pack answers now.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SnapshotList {
    /// Name of the pack.
    pub pack: String,
    /// Snapshots, oldest first.
    pub snapshots: Vec<SnapshotInfo>,
    /// Number of calls that the pack's own records answer now.
    pub recorded: u32,
    /// Number of calls that only saved responses answer now.
    pub added: u32,
}

/// A snapshot, with its answers by tool.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SnapshotDetail {
    /// Entry of the snapshot in the list.
    pub snapshot: SnapshotInfo,
    /// Number of answered calls for each tool.
    pub tools: Vec<SnapshotTool>,
    /// Hash, computed again from the content. `null` unless requested.
    pub verified: Option<String>,
}

/// Description of a cache state in a comparison.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct StateView {
    /// `pack` for a pack's own records, `now` for the own records with the saved responses,
    /// otherwise a snapshot's name.
    pub state: String,
    /// Name of the underlying pack.
    pub pack: String,
    /// Version of that pack.
    pub version: String,
    /// Hash of a snapshot. `null` for states that change.
    pub hash: Option<String>,
}

/// Differences between two cache states.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SnapshotDiff {
    /// Earlier state.
    pub then: StateView,
    /// Later state.
    pub now: StateView,
    /// Counts for every tool that either state answers.
    pub tools: Vec<AnswerDifferenceTool>,
    /// First differences, by tool and arguments.
    pub differences: Vec<AnswerDifference>,
    /// Number of all differences, including those that are not listed.
    pub total: u32,
}

/// Result of an export.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SnapshotExport {
    /// Path of the folder or file.
    pub path: String,
    /// Number of records.
    pub records: u32,
    /// Size in bytes.
    pub bytes: u64,
    /// `name@version` of the exported pack. Missing when the state was exported as a folder.
    pub pack: Option<String>,
    /// Records that could not be written, each with the reason.
    pub problems: Vec<Problem>,
}
