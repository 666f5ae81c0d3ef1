//! Snapshots of cached responses.

use super::PackProblem;
use koab_core::changes::ValueChanges;
use koab_store::SnapshotInfo;
use koab_store::snapshots::{Change, Side, StateDiff, StateTool};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A named state of a pack's cached responses, which nothing changes any more.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SnapshotView {
    /// Its name.
    pub name: String,
    /// Hash of what it holds, the same in every workspace: lower-case hex.
    pub hash: String,
    /// Name of the pack that it was made of.
    pub pack: String,
    /// That pack's version.
    pub version: String,
    /// Whether that very pack is installed; else its records are kept for snapshots alone.
    pub installed: bool,
    /// What the user says about it.
    pub note: String,
    /// When it was made, UTC, ISO 8601.
    pub created_at: String,
    /// Calls that the pack's own records answer.
    pub recorded: u32,
    /// Calls that only answers of the live APIs answer.
    pub added: u32,
}

impl From<SnapshotInfo> for SnapshotView {
    fn from(info: SnapshotInfo) -> Self {
        Self {
            name: info.name,
            hash: info.hash,
            pack: info.pack,
            version: info.version,
            installed: info.installed,
            note: info.note,
            created_at: info.created_at,
            recorded: info.recorded,
            added: info.added,
        }
    }
}

/// The snapshots of a pack, and what it answers now.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SnapshotList {
    /// Name of the pack.
    pub pack: String,
    /// The oldest first.
    pub snapshots: Vec<SnapshotView>,
    /// Calls that the pack's own records answer now.
    pub recorded: u32,
    /// Calls that only the user's overlay answers now.
    pub added: u32,
}

/// Calls to one tool that a state answers.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SnapshotTool {
    /// Tool name.
    pub tool: String,
    /// By the pack's own records.
    pub recorded: u32,
    /// By answers of the live APIs only.
    pub added: u32,
}

impl From<StateTool> for SnapshotTool {
    fn from(tool: StateTool) -> Self {
        Self {
            tool: tool.tool,
            recorded: tool.recorded,
            added: tool.added,
        }
    }
}

/// A snapshot with what it answers.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SnapshotDetail {
    /// As in the list.
    pub snapshot: SnapshotView,
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

/// How a call is answered in the later of two states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum AnswerChange {
    /// Only the later one answers it.
    Added,
    /// Only the earlier one answers it.
    Removed,
    /// Both do, differently.
    Changed,
}

/// Where an answer comes from.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AnswerFrom {
    /// Its key in the published layout.
    pub published_key: String,
    /// When it was recorded, UTC.
    pub created_at: String,
    /// Who asked the live API; `null` for a pack's own records.
    pub origin: Option<String>,
}

impl From<Side> for AnswerFrom {
    fn from(side: Side) -> Self {
        Self {
            published_key: side.published_key,
            created_at: side.created_at,
            origin: side.origin,
        }
    }
}

/// One call that two states answer differently.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AnswerDifference {
    /// How.
    pub change: AnswerChange,
    /// Tool name.
    pub tool: String,
    /// The canonical arguments, JSON.
    pub args: String,
    /// In the earlier state.
    pub then: Option<AnswerFrom>,
    /// In the later state.
    pub now: Option<AnswerFrom>,
    /// Where the answers differ, when both are there.
    pub places: Option<ValueChanges>,
}

/// Calls to one tool in two states, counted.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AnswerDifferenceTool {
    /// Tool name.
    pub tool: String,
    /// Answered alike.
    pub same: u32,
    /// Answered by the later one only.
    pub added: u32,
    /// Answered by the earlier one only.
    pub removed: u32,
    /// Answered differently.
    pub changed: u32,
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

impl SnapshotDiff {
    pub(crate) fn new(then: StateView, now: StateView, diff: StateDiff) -> Self {
        let tools = diff.tools.into_iter().map(|tool| AnswerDifferenceTool {
            tool: tool.tool,
            same: tool.same,
            added: tool.added,
            removed: tool.removed,
            changed: tool.changed,
        });
        let differences = diff.differences.into_iter().map(|one| AnswerDifference {
            change: match one.change {
                Change::Added => AnswerChange::Added,
                Change::Removed => AnswerChange::Removed,
                Change::Changed => AnswerChange::Changed,
            },
            tool: one.tool,
            args: one.args,
            then: one.then.map(AnswerFrom::from),
            now: one.now.map(AnswerFrom::from),
            places: one.places,
        });
        Self {
            then,
            now,
            tools: tools.collect(),
            differences: differences.collect(),
            total: diff.total,
        }
    }
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
    pub problems: Vec<PackProblem>,
}
