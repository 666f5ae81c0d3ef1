//! Facts about a report that come from the run behind it.

use super::{CompositeFigure, Figure, OverrideRow};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Facts about a report from the run behind it, when the run's logs are in the workspace.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReportFacts {
    /// The run behind the report; null when it is unknown.
    pub run: Option<RunOfReport>,
    /// Reason why the run is unknown.
    pub reason: Option<Sentence>,
    /// Times, tokens and calls of each task.
    pub tasks: Vec<TaskUsage>,
    /// Cost of the run.
    pub cost: CostFigure,
    /// The run's logs under the other scorer.
    pub other: OtherScorer,
    /// The report's numbers with human overrides; null without overrides.
    pub people: Option<PeoplesWord>,
}

/// A report's numbers with human overrides. The report itself and its files stay as judged.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PeoplesWord {
    /// The overrides.
    pub overrides: Vec<OverrideRow>,
    /// Means of the metrics that the overrides are about, whether or not they changed.
    pub levels: Vec<OtherLevel>,
    /// Every reading of the composite, with the overrides.
    pub composites: Vec<CompositeFigure>,
    /// Remarks for the reader, one sentence each.
    pub notes: Vec<Sentence>,
}

/// Ids of a run and one of its reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunReport {
    /// Run id.
    pub run: String,
    /// Report id.
    pub report: String,
}

/// The run behind a report.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunOfReport {
    /// Run id.
    pub id: String,
    /// Pack of the run, when known.
    pub pack: Option<String>,
    /// Protocol of the run, when known.
    pub protocol: Option<Protocol>,
}

/// Times, tokens and calls of a task, from its log. `null` means "not measured".
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskUsage {
    /// Level of the task.
    pub level: Level,
    /// Task id.
    pub task: String,
    /// Seconds from start to end.
    pub seconds: Option<f64>,
    /// Seconds to the first token, mean over the model turns.
    pub ttft: Option<f64>,
    /// Number of tokens.
    pub tokens: Option<f64>,
    /// Number of model turns.
    pub steps: Option<f64>,
    /// Number of tool calls.
    pub calls: u32,
}

/// Cost of a run.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CostFigure {
    /// USD; null when unknown.
    pub usd: Option<f64>,
    /// Whether the cost is computed from the tokens and today's price list instead of recorded
    /// during the run.
    pub computed: bool,
    /// Reason why the cost is unknown.
    pub reason: Option<Sentence>,
}

/// The report's logs under the scorer that the report does not use.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OtherScorer {
    /// The other scorer.
    pub scorer: Protocol,
    /// Reason why the logs cannot be scored this way.
    pub reason: Option<Sentence>,
    /// Number of questions that this scorer asks judges about these logs.
    pub questions: u32,
    /// Number of these questions without an answer.
    pub unanswered: u32,
    /// Means per level.
    pub levels: Vec<OtherLevel>,
    /// Every reading of the composite.
    pub composites: Vec<CompositeFigure>,
    /// Differences between the two scorers' rules.
    pub differences: Vec<ScorerDifference>,
}

/// A level's means under another scoring than the report's.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OtherLevel {
    /// The level.
    pub level: Level,
    /// Means of the level's metrics.
    pub metrics: Vec<OtherMetric>,
}

/// A metric's mean under another scoring than the report's.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OtherMetric {
    /// Metric name as published.
    pub metric: String,
    /// The mean, or the reason why it is missing.
    #[serde(flatten)]
    #[ts(flatten)]
    pub figure: Figure,
}

/// One difference between the two scorers' rules.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScorerDifference {
    /// Stable name of the difference.
    pub id: String,
    /// Metrics that the difference affects; empty means all.
    pub metrics: Vec<String>,
    /// Rule of the leaderboard scorer.
    pub leaderboard: String,
    /// Rule of the corrected scorer.
    pub corrected: String,
}
