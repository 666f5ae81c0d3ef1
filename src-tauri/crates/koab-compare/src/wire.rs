//! What crosses to the UI about the failure atlas. What a rule finds is the domain's own type.

use koab_analysis::atlas::{AttemptCauses, By, Cause, CauseNeeds, CauseOwner, ItemFault};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

/// A report or a run whose attempts were asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AtlasSource {
    /// Id as it was asked for: of a report, or of a run.
    pub id: String,
    /// Whether it is a report; else it is a run of which only the log tells.
    pub is_report: bool,
    /// Model id.
    pub model: String,
    /// The run whose transcripts can be read; null when it is not in the workspace.
    pub run: Option<String>,
    /// By which rules it was scored.
    pub scorer: Protocol,
    /// Whether judges said anything: without, causes that need their verdicts are never found.
    pub judged: bool,
    /// Results that cannot be read as tasks, in no count.
    pub skipped: u32,
    /// Why its attempts could not be sorted; null when they were.
    pub why_not: Option<Sentence>,
    /// Items with a score, where it is of another benchmark than Ko-AgentBench: those that were
    /// answered wrong are among the items.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub items: Option<u32>,
    /// The same by group, for whoever chooses some of them.
    #[serde(skip)]
    #[ts(skip)]
    pub groups: BTreeMap<Level, u32>,
}

/// An item of another benchmark that was answered wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AtlasItem {
    /// Position of its source.
    pub source: u32,
    /// What is wrong with its answer, in its benchmark's words.
    #[serde(flatten)]
    pub found: ItemFault,
}

/// One attempt, sorted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AtlasAttempt {
    /// Position of its source.
    pub source: u32,
    /// Its level.
    pub level: Level,
    /// Its task.
    pub task: String,
    /// What it lost and why.
    pub sorted: AttemptCauses,
}

/// A cause there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AtlasCause {
    /// The cause.
    pub id: Cause,
    /// Who it is attributed to.
    pub owner: CauseOwner,
    /// What its rule must know.
    pub needs: CauseNeeds,
}

/// Attempts of one or several reports, sorted by why they lost points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AtlasView {
    /// What was asked for, in that order.
    pub sources: Vec<AtlasSource>,
    /// All causes, in the order in which one of several comes first.
    pub causes: Vec<AtlasCause>,
    /// Every attempt of every source, those that lost nothing too; by source, level and file order.
    pub attempts: Vec<AtlasAttempt>,
    /// What was answered wrong of other benchmarks, by source and file order.
    #[serde(default)]
    pub items: Vec<AtlasItem>,
}

/// In which form an atlas is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum AtlasFormat {
    /// A line a finding.
    Csv,
    /// Everything, as the window has it.
    Json,
    /// Tables for a paper.
    Markdown,
    /// A heat map.
    Svg,
}

/// Which attempts to write, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AtlasExport {
    /// Reports or runs.
    pub ids: Vec<String>,
    /// The form.
    pub format: AtlasFormat,
    /// Columns of the picture.
    pub by: By,
    /// Only these levels; empty for all.
    pub levels: Vec<Level>,
    /// Only attempts with one of these causes; empty for all attempts.
    pub causes: Vec<Cause>,
    /// `ko` or `en`.
    pub language: String,
}
