//! Installed packs and their cached responses, with more details than in the list.

use super::PackSummary;
use koab_core::finding::Problem;
use koab_store::RecordCounts;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Details of one installed pack.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PackView {
    /// Row of the pack in the list.
    pub summary: PackSummary,
    /// Source of the data, as the pack states it.
    pub source: String,
    /// Time of the import, UTC, ISO 8601.
    pub imported_at: String,
    /// Number of records, by the result of their import.
    pub records: RecordStanding,
    /// Problems that the import found.
    pub problems: Vec<Problem>,
    /// Number of tasks that the user has flagged.
    pub flags: u32,
}

/// Number of cached responses in a pack, by the result of their import.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RecordStanding {
    /// Number of records in the database.
    pub kept: u32,
    /// Number of stored records whose key belongs to the current definition of the tool.
    pub current: u32,
    /// Number of stored records that were made under an earlier definition of the tool.
    pub stale: u32,
    /// Number of stored records whose tool is not in the catalog.
    pub orphan: u32,
    /// Number of stored records that answer a call: one for each tool and arguments.
    pub answering: u32,
    /// Number of records that were not stored: unreadable, or with the same key as another record.
    pub left_out: u32,
}

impl From<&RecordCounts> for RecordStanding {
    fn from(counts: &RecordCounts) -> Self {
        Self {
            kept: counts.kept,
            current: counts.current,
            stale: counts.stale,
            orphan: counts.orphan,
            answering: counts.answering,
            left_out: counts.unreadable + counts.duplicate,
        }
    }
}

/// Result of an import.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PackImport {
    /// Imported pack.
    pub pack: PackSummary,
    /// All problems of the pack's data.
    pub problems: Vec<Problem>,
    /// Duration of the import in seconds.
    pub seconds: f64,
}

/// Effects of removing a pack.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PackRemoval {
    /// Number of tasks that are removed.
    pub tasks: u32,
    /// Number of cached responses that are removed.
    pub records: u32,
    /// Number of runs with the pack. The runs are kept, but cannot be scored or resumed until the
    /// pack is imported again.
    pub runs: u32,
    /// Number of flags on the pack's tasks. The flags are kept, and apply again when the pack is
    /// imported again.
    pub flags: u32,
    /// Number of earlier versions that are removed too.
    pub versions: u32,
    /// Number of snapshots of the pack. They are kept, with the records that they need.
    pub snapshots: u32,
    /// Pack that runs use by default afterwards. `null` when no pack is left.
    pub active: Option<String>,
    /// Whether the pack is the starter pack, which can be installed again without a file.
    pub starter: bool,
}
