//! Snapshots of cached responses.

use koab_core::finding::Problem;
use koab_store::SnapshotInfo;
use koab_store::snapshots::{AnswerDifference, AnswerDifferenceTool, SnapshotTool};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The snapshots of a pack, and what it answers now.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SnapshotList {
    /// Name of the pack.
    pub pack: String,
    /// The oldest first.
    pub snapshots: Vec<SnapshotInfo>,
    /// Calls that the pack's own records answer now.
    pub recorded: u32,
    /// Calls that only the user's overlay answers now.
    pub added: u32,
}

/// A snapshot with what it answers.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SnapshotDetail {
    /// As in the list.
    pub snapshot: SnapshotInfo,
    /// By tool.
    pub tools: Vec<SnapshotTool>,
    /// The hash, computed anew from what it holds; `null` when nobody asked for that.
    pub verified: Option<String>,
}

/// A state of cached responses, as something is compared with it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct StateView {
    /// `pack` for a pack's own records, `now` for these with the overlay, else a snapshot's name.
    pub state: String,
    /// Name of the pack beneath.
    pub pack: String,
    /// Its version.
    pub version: String,
    /// A snapshot's hash; `null` for the states that change.
    pub hash: Option<String>,
}

/// How two states of cached responses differ.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SnapshotDiff {
    /// The earlier one.
    pub then: StateView,
    /// The later one.
    pub now: StateView,
    /// By tool: every tool that either of them answers.
    pub tools: Vec<AnswerDifferenceTool>,
    /// The first differences, by tool and arguments.
    pub differences: Vec<AnswerDifference>,
    /// All differences, those that are not listed included.
    pub total: u32,
}

/// What an export wrote.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SnapshotExport {
    /// The folder or file.
    pub path: String,
    /// Records in it.
    pub records: u32,
    /// Bytes.
    pub bytes: u64,
    /// `name@version` of the pack, where it is one.
    pub pack: Option<String>,
    /// Records that could not be written, each with why.
    pub problems: Vec<Problem>,
}
