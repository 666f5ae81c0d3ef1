//! Installed packs and their cached responses, with more than the list says.

use super::PackSummary;
use koab_core::finding::Problem;
use koab_store::RecordCounts;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One installed pack.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PackView {
    /// As in the list.
    pub summary: PackSummary,
    /// Where the data comes from, in the pack's words.
    pub source: String,
    /// When it was imported, UTC, ISO 8601.
    pub imported_at: String,
    /// How its records stand to its catalog.
    pub records: RecordStanding,
    /// What its import found.
    pub problems: Vec<Problem>,
    /// Tasks that the user flagged.
    pub flags: u32,
}

/// What an import found among the cached responses.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RecordStanding {
    /// Kept.
    pub kept: u32,
    /// Kept, under the keys of the current catalog.
    pub current: u32,
    /// Kept, but recorded under an earlier definition of the tool.
    pub stale: u32,
    /// Kept, but of a tool that the catalog does not have.
    pub orphan: u32,
    /// Those that answer a call: one for each tool and arguments.
    pub answering: u32,
    /// Left out: could not be read, or had a twin under the same key.
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

/// What an import brought.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PackImport {
    /// The pack.
    pub pack: PackSummary,
    /// Everything that is wrong with its data.
    pub problems: Vec<Problem>,
    /// How long it took.
    pub seconds: f64,
}

/// What removing a pack takes along, and what it leaves.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PackRemoval {
    /// Its tasks go.
    pub tasks: u32,
    /// Its cached responses go.
    pub records: u32,
    /// Runs that were made with it stay, but can be neither scored nor gone on with until it is
    /// imported again.
    pub runs: u32,
    /// Flags on its tasks stay, for when it is imported again.
    pub flags: u32,
    /// Earlier versions of an own pack go along.
    pub versions: u32,
    /// Snapshots of it stay, with the records that they read.
    pub snapshots: u32,
    /// The pack that runs use afterwards; `null` when none is left.
    pub active: Option<String>,
    /// Whether it is the starter pack, which can be had again without a file.
    pub starter: bool,
}
