//! Results of an import.

use koab_core::level::Level;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Kind of an entry in the result of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ImportedKind {
    /// Logs of a run, one per level.
    Run,
    /// An `evaluation_report.json`.
    Report,
    /// An `evaluation_summary.csv` whose report was not imported.
    Summary,
    /// A row of a combined summary.
    CombinedRow,
    /// A pack: tasks, tools, cached responses.
    Pack,
    /// A file of a kind that this program does not know.
    Unknown,
}

/// Outcome for one entry in the result of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ImportOutcome {
    /// The run, report or pack was added to the workspace.
    Added,
    /// The run, report or pack was already in the workspace.
    AlreadyThere,
    /// The run, report, pack or file was not imported.
    Refused,
}

/// An entry in the result of an import: a run, report, pack or file that was imported or refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ImportItem {
    /// Kind of the entry.
    pub what: ImportedKind,
    /// Path of the entry below the path that the user named. It may continue inside an archive.
    pub source: String,
    /// Id of the run, report or pack in the workspace.
    pub id: Option<String>,
    /// Name of the model, if it has one.
    pub model: Option<String>,
    /// Levels of the run or report.
    pub levels: Vec<Level>,
    /// Outcome for this entry.
    pub outcome: ImportOutcome,
    /// Reason for a refusal.
    pub reason: Option<Sentence>,
    /// Other remarks, one sentence each.
    pub notes: Vec<Sentence>,
}

/// Entries for everything that an import found, with its duration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ImportResult {
    /// Id of the import's job.
    pub id: String,
    /// All runs, reports, packs and files that were imported or refused, in the order of the files.
    pub items: Vec<ImportItem>,
    /// Number of files in folders and archives that an import ignores, such as pictures.
    pub left_alone: u32,
    /// Whether the import was cancelled. Runs, reports and packs that were imported before that
    /// remain in the workspace.
    pub cancelled: bool,
    /// Duration in seconds.
    pub seconds: f64,
}

impl ImportItem {
    pub(super) fn refused(what: ImportedKind, source: &str, reason: impl Into<Sentence>) -> Self {
        Self {
            what,
            source: source.to_owned(),
            id: None,
            model: None,
            levels: Vec::new(),
            outcome: ImportOutcome::Refused,
            reason: Some(reason.into()),
            notes: Vec::new(),
        }
    }
}
