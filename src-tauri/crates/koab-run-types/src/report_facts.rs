//! What the run behind a report adds to it.

use super::{CompositeFigure, Figure, OverrideRow};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What the run behind a report adds, when its logs are in the workspace.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReportFacts {
    /// The run.
    pub run: Option<RunOfReport>,
    /// Why nothing is known of the run.
    pub reason: Option<Sentence>,
    /// What each task took.
    pub tasks: Vec<TaskUsage>,
    /// What the run cost.
    pub cost: CostFigure,
    /// The same logs by the other scorer's rules.
    pub other: OtherScorer,
    /// The same logs with what people said in the place of judges; null when nobody did.
    pub people: Option<PeoplesWord>,
}

/// A report with what people said instead of judges. The report itself and its files stay as
/// judged.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PeoplesWord {
    /// What they said.
    pub overrides: Vec<OverrideRow>,
    /// The means that it changes or could have changed: those of the metrics it is about.
    pub levels: Vec<OtherLevel>,
    /// Every reading of the composite.
    pub composites: Vec<CompositeFigure>,
    /// What to know about it, one sentence each.
    pub notes: Vec<Sentence>,
}

/// A run and a report of it.
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
    /// Pack, when known.
    pub pack: Option<String>,
    /// Protocol, when known.
    pub protocol: Option<Protocol>,
}

/// What a task took, as its log says. `null` is "not measured".
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskUsage {
    /// Its level.
    pub level: Level,
    /// Task id.
    pub task: String,
    /// Seconds.
    pub seconds: Option<f64>,
    /// Seconds to the first token, mean over the model turns.
    pub ttft: Option<f64>,
    /// Tokens.
    pub tokens: Option<f64>,
    /// Model turns.
    pub steps: Option<f64>,
    /// Tool calls.
    pub calls: u32,
}

/// What a run cost.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CostFigure {
    /// USD.
    pub usd: Option<f64>,
    /// Whether it is computed from the tokens and the price list of today instead of counted in the
    /// run.
    pub computed: bool,
    /// Why there is no number.
    pub reason: Option<Sentence>,
}

/// The report's logs by the other scorer's rules.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OtherScorer {
    /// Which.
    pub scorer: Protocol,
    /// Why it cannot be computed at all.
    pub reason: Option<Sentence>,
    /// Judge questions of this scorer in these logs.
    pub questions: u32,
    /// Those that nobody has answered yet.
    pub unanswered: u32,
    /// Means level by level.
    pub levels: Vec<OtherLevel>,
    /// The composite.
    pub composites: Vec<CompositeFigure>,
    /// What the two scorers do differently.
    pub differences: Vec<ScorerDifference>,
}

/// A level, scored otherwise than in the report.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OtherLevel {
    /// The level.
    pub level: Level,
    /// Its means.
    pub metrics: Vec<OtherMetric>,
}

/// A mean, scored otherwise than in the report.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OtherMetric {
    /// Name as published.
    pub metric: String,
    /// The mean, or why there is none.
    #[serde(flatten)]
    #[ts(flatten)]
    pub figure: Figure,
}

/// One thing that the two scorers do differently.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScorerDifference {
    /// Stable name.
    pub id: String,
    /// Metrics it touches; empty means all.
    pub metrics: Vec<String>,
    /// What the leaderboard scorer does.
    pub leaderboard: String,
    /// What the corrected scorer does.
    pub corrected: String,
}
