//! What an import tells of what it found.

use koab_core::level::Level;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What something turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ImportedKind {
    /// Logs of a run, one a level.
    Run,
    /// An `evaluation_report.json`.
    Report,
    /// An `evaluation_summary.csv` without its report.
    Summary,
    /// A row of a combined summary.
    CombinedRow,
    /// A pack: tasks, tools, cached responses.
    Pack,
    /// Nothing that is known here.
    Unknown,
}

/// The outcome of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ImportOutcome {
    /// It is in the workspace now.
    Added,
    /// It was there before.
    AlreadyThere,
    /// It was not taken in.
    Refused,
}

/// One run, report, pack or file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ImportItem {
    /// What it is.
    pub what: ImportedKind,
    /// Where it was found: below what the user named, archives included.
    pub source: String,
    /// Id in the workspace, of what is there now.
    pub id: Option<String>,
    /// The model, where it has one.
    pub model: Option<String>,
    /// Its levels.
    pub levels: Vec<Level>,
    /// The outcome of it.
    pub outcome: ImportOutcome,
    /// Why it was refused.
    pub reason: Option<Sentence>,
    /// What else to know, a sentence each.
    pub notes: Vec<Sentence>,
}

/// What an import brought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ImportResult {
    /// Id, that of its job.
    pub id: String,
    /// Everything, in the order of the files.
    pub items: Vec<ImportItem>,
    /// Files in folders and archives that no import is about, such as pictures.
    pub left_alone: u32,
    /// Whether it was stopped; what is in the list stays.
    pub cancelled: bool,
    /// How long it took.
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
