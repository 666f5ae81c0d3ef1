//! Facts about a report that come from its run.

use super::{CompositeFigure, OverrideRow};
use koab_core::level::Level;
use koab_core::measured::Figure;
use koab_core::protocol::Protocol;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Facts about a report that come from its run, if the logs of the run are in the workspace.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReportFacts {
    /// The run that the report was made from; null if the run is unknown.
    pub run: Option<RunOfReport>,
    /// Reason why the run is unknown.
    pub reason: Option<Sentence>,
    /// Times, tokens and calls of each task.
    pub tasks: Vec<TaskUsage>,
    /// Cost of the run.
    pub cost: CostFigure,
    /// Scores of the run's logs under the other scorer.
    pub other: OtherScorer,
    /// Numbers of the report with human overrides; null if there are no overrides.
    pub people: Option<PeoplesWord>,
}

/// Numbers of a report with human overrides. The report itself and its files contain the scores
/// without overrides.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PeoplesWord {
    /// Human overrides that the numbers of this struct include.
    pub overrides: Vec<OverrideRow>,
    /// Means of the metrics that overrides concern, even if an override did not change the mean.
    pub levels: Vec<OtherLevel>,
    /// Every reading of the composite, with human overrides.
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

/// The run that a report was made from.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunOfReport {
    /// Run id.
    pub id: String,
    /// Pack of the run, if it is known.
    pub pack: Option<String>,
    /// Protocol of the run, if it is known.
    pub protocol: Option<Protocol>,
}

/// Times, tokens and calls of a task, from its log. `null` means that the value was not measured.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskUsage {
    /// Level of the task.
    pub level: Level,
    /// Task id.
    pub task: String,
    /// Seconds from start to end.
    pub seconds: Option<f64>,
    /// Mean seconds to the first token, over the model turns.
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
    /// Cost in USD; null if it is unknown.
    pub usd: Option<f64>,
    /// Whether the cost was computed from the tokens and today's price list. Otherwise it was
    /// recorded during the run.
    pub computed: bool,
    /// Reason why the cost is unknown.
    pub reason: Option<Sentence>,
}

/// Scores of a report's logs under the scorer that the report does not use.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OtherScorer {
    /// The other scorer.
    pub scorer: Protocol,
    /// Reason why the logs cannot be scored by the other scorer.
    pub reason: Option<Sentence>,
    /// Number of questions about the logs that the other scorer has for judges.
    pub questions: u32,
    /// Number of the other scorer's questions that no judge has answered.
    pub unanswered: u32,
    /// Means of each level.
    pub levels: Vec<OtherLevel>,
    /// Every reading of the composite.
    pub composites: Vec<CompositeFigure>,
    /// Differences between the rules of the two scorers.
    pub differences: Vec<ScorerDifference>,
}

/// Means of a level under another scorer, or with human overrides.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OtherLevel {
    /// The level.
    pub level: Level,
    /// Means of the level's metrics.
    pub metrics: Vec<OtherMetric>,
}

/// Mean of a metric under another scorer, or with human overrides.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OtherMetric {
    /// Metric of the mean.
    pub metric: MetricId,
    /// The mean, or the reason why it is missing.
    #[serde(flatten)]
    #[ts(flatten)]
    pub figure: Figure,
}

/// A difference between the rules of the two scorers.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScorerDifference {
    /// Name of the difference, which does not change between versions.
    pub id: String,
    /// Names of the metrics that the difference affects, which may be another benchmark's; empty
    /// means all metrics.
    pub metrics: Vec<String>,
    /// Rule of the leaderboard scorer.
    pub leaderboard: String,
    /// Rule of the corrected scorer.
    pub corrected: String,
}
