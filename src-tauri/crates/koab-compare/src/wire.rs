//! Types of the failure atlas that are sent to the UI. The types of rule findings are in
//! `koab_analysis`.

use koab_analysis::atlas::{AttemptCauses, By, Cause, CauseNeeds, CauseOwner, ItemFault};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

/// A report or a run whose attempts are classified.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AtlasSource {
    /// Id of the report or run, as it was requested.
    pub id: String,
    /// Whether the source is a report; otherwise it is a run that is classified from its logs
    /// alone.
    pub is_report: bool,
    /// Model id.
    pub model: String,
    /// Id of the run whose transcripts can be read; null when the run is not in the workspace.
    pub run: Option<String>,
    /// Rules that the source was scored by.
    pub scorer: Protocol,
    /// Whether the source has verdicts of judges. Without verdicts, causes that need a verdict are
    /// never found.
    pub judged: bool,
    /// Number of results that cannot be read as tasks. They are not part of any count.
    pub skipped: u32,
    /// Reason why the attempts of the source could not be classified; null when they were.
    pub why_not: Option<Sentence>,
    /// Number of items with a score, for a report of another benchmark; absent for Ko-AgentBench.
    /// Items that were answered wrong are in [`AtlasView::items`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub items: Option<u32>,
    /// Number of items with a score by group, for filtering by group.
    #[serde(skip)]
    #[ts(skip)]
    pub groups: BTreeMap<Level, u32>,
}

/// An item of another benchmark that was answered wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AtlasItem {
    /// Position of the item's source in [`AtlasView::sources`].
    pub source: u32,
    /// Error in the answer, in the words of the item's benchmark.
    #[serde(flatten)]
    pub found: ItemFault,
}

/// One classified attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AtlasAttempt {
    /// Position of the attempt's source in [`AtlasView::sources`].
    pub source: u32,
    /// Level of the task.
    pub level: Level,
    /// Task id.
    pub task: String,
    /// Loss of the attempt, and the causes of the loss.
    pub sorted: AttemptCauses,
}

/// A cause of lost points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AtlasCause {
    /// Identifier of the cause.
    pub id: Cause,
    /// Party that the cause is attributed to, such as the model, the pack or a judge.
    pub owner: CauseOwner,
    /// Data that the rule of the cause requires.
    pub needs: CauseNeeds,
}

/// Attempts of one or several reports, classified by why they lost points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AtlasView {
    /// Reports and runs in the requested order.
    pub sources: Vec<AtlasSource>,
    /// All causes in order of precedence. If an attempt has several causes, its first cause is the
    /// one that comes first in this list.
    pub causes: Vec<AtlasCause>,
    /// Attempts of all sources, including attempts without loss, sorted by source, level and file
    /// order.
    pub attempts: Vec<AtlasAttempt>,
    /// Items of other benchmarks that were answered wrong, by source and file order.
    #[serde(default)]
    pub items: Vec<AtlasItem>,
}

/// File format of an exported atlas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum AtlasFormat {
    /// One line per finding.
    Csv,
    /// The complete atlas, as the window receives it.
    Json,
    /// Tables for a paper.
    Markdown,
    /// A heat map as a picture.
    Svg,
}

/// Attempts to export, and the format of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AtlasExport {
    /// Ids of reports or runs.
    pub ids: Vec<String>,
    /// Format of the file.
    pub format: AtlasFormat,
    /// Meaning of the heat map's columns: a column for each level, or for each model.
    pub by: By,
    /// Levels to export; empty for all.
    pub levels: Vec<Level>,
    /// Causes of the attempts to export; empty for all attempts.
    pub causes: Vec<Cause>,
    /// Language of the file, `ko` or `en`.
    pub language: String,
}
