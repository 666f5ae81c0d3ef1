//! Reports as the library and the report page show them.

use super::{BesideFile, CacheUse, CompositeRow, JudgeAgreement, OverrideRow};
use koab_core::comparability::{AttemptCounts, Grade};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::report::interval::{Bounds, Interval};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Where a report came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ReportOrigin {
    /// Scored here.
    Made,
    /// Brought in from elsewhere.
    Imported,
}

/// One report in the library.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReportRow {
    /// Report id: the name of its folder.
    pub id: String,
    /// Model id; the folder's name when the report cannot be read.
    pub model: String,
    /// Date of the run: `YYYYMMDD_HHMMSS`, or `YYYYMMDD` where no more is known.
    pub date: String,
    /// Id of the run, for reports that were made here.
    pub run: Option<String>,
    /// Pack of the run, `name@version`, when known.
    pub pack: Option<String>,
    /// Protocol of the run, when known. Published reports do not say it.
    pub protocol: Option<Protocol>,
    /// By which rules it was scored.
    pub scorer: Protocol,
    /// Judges, empty when none; null when the report does not say.
    pub judges: Option<Vec<String>>,
    /// Made here or imported.
    pub origin: ReportOrigin,
    /// Whether it belongs to the reference set, which others are held against.
    pub reference: bool,
    /// The composite score; `null` when a part is missing.
    pub composite: Option<f64>,
    /// Name of its reading: of a list, one that all its reports with a score have.
    pub variant: String,
    /// What that reading counts, one sentence.
    pub reading: String,
    /// Why there is none.
    pub composite_reason: Option<String>,
    /// Its interval, of reports that were made here; others have it on their page, which takes longer to make.
    pub composite_range: Option<ScoreRange>,
    /// SR over all tasks.
    pub success: Option<f64>,
    /// Its interval, Wilson's; null where single tasks are not known or SR is not yes or no.
    pub success_range: Option<ScoreRange>,
    /// The score of each level.
    pub levels: Vec<LevelFigure>,
    /// Tasks in the logs; `null` where the report's files do not tell.
    pub tasks: Option<u32>,
    /// Attempts of the run that it was made of, where some were still to be made or failed for technical reasons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub attempts: Option<AttemptCounts>,
    /// That the run went on after it was made, so that its numbers are not the run's any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub outdated: Option<String>,
    /// Scores that could not be told, over all tasks and metrics.
    pub unscored: u32,
    /// How it can be compared with the published leaderboard; null when the report cannot be read.
    pub comparability: Option<Grade>,
    /// The gravest reason against it.
    pub comparability_reason: Option<String>,
    /// The user's tags.
    pub tags: Vec<String>,
    /// The user's note.
    pub note: String,
    /// Why the report cannot be read, when it cannot.
    pub problem: Option<String>,
}

/// One number for a level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LevelFigure {
    /// The level.
    pub level: Level,
    /// Plain mean of the level's own metrics; `null` when one has no mean.
    pub score: Option<f64>,
    /// Why there is none.
    pub reason: Option<String>,
}

/// A 95 % confidence interval, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScoreRange {
    /// The interval.
    pub interval: Option<Interval>,
    /// Why there is none.
    pub reason: Option<String>,
}

impl From<Bounds> for ScoreRange {
    fn from(bounds: Bounds) -> Self {
        match bounds {
            Ok(interval) => Self {
                interval: Some(interval),
                reason: None,
            },
            Err(reason) => Self {
                interval: None,
                reason: Some(reason),
            },
        }
    }
}

impl From<ScoreRange> for Bounds {
    fn from(range: ScoreRange) -> Self {
        range.interval.ok_or_else(|| range.reason.unwrap_or_default())
    }
}

/// A whole report, all that its folder says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReportDetail {
    /// As in the library.
    pub row: ReportRow,
    /// The folder.
    pub folder: String,
    /// The published files that it has: `json`, `csv`, `md`.
    pub files: Vec<String>,
    /// When it was scored.
    pub evaluation_date: String,
    /// Tasks a level that were scored, when not all were.
    pub sample: Option<u32>,
    /// Votes of the first judge on SR.
    pub votes: u32,
    /// How several judges' grades were combined: `mean` or `median`.
    pub aggregate: String,
    /// Every reading of the composite, first the one that the report is shown in.
    pub composites: Vec<CompositeFigure>,
    /// The metrics that every level has, over the tasks of all levels.
    pub overall: Vec<OverallFigure>,
    /// Whether its tasks were attempted several times: all numbers here but the published pass@k are of the first attempts.
    pub repeated: bool,
    /// Levels in order.
    pub levels: Vec<LevelDetail>,
    /// Every evaluated task.
    pub tasks: Vec<TaskFigure>,
    /// How tool calls were answered, when the run was made here.
    pub cache: Option<CacheUse>,
    /// How far the judges agree: a row a judged metric, then metrics together. Of an imported report as far as its
    /// details hold what each judge said; empty when none is told.
    pub agreement: Vec<JudgeAgreement>,
    /// What to know before comparing, one sentence each.
    pub notes: Vec<String>,
}

/// The composite score in one reading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CompositeFigure {
    /// Name of the reading.
    pub variant: String,
    /// What it counts, one sentence.
    pub reading: String,
    /// The value; `null` when a part is missing.
    pub value: Option<f64>,
    /// Why there is none.
    pub reason: Option<String>,
    /// Its interval.
    pub range: ScoreRange,
    /// Its four parts; empty where the report's file does not hold all metrics of the reading.
    pub parts: Vec<PartFigure>,
}

/// A metric over the tasks of all levels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OverallFigure {
    /// Name as published.
    pub metric: String,
    /// Mean over all tasks, each weighing the same; null when a level has none.
    pub value: Option<f64>,
    /// Why there is none.
    pub reason: Option<String>,
    /// Its interval.
    pub range: ScoreRange,
    /// Tasks in the mean; null where there is none.
    pub tasks: Option<u32>,
}

/// A part of the composite score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PartFigure {
    /// `basic`, `error_handling`, `efficiency` or `context`.
    pub part: String,
    /// Its share of the composite.
    pub weight: f64,
    /// Its value.
    pub value: f64,
}

/// A level of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LevelDetail {
    /// The level.
    pub level: Level,
    /// Tasks in the log; `null` where the report's file does not tell.
    pub tasks: Option<u32>,
    /// Tasks evaluated; `null` as above.
    pub evaluated: Option<u32>,
    /// Plain mean of the level's own metrics.
    pub score: Option<f64>,
    /// Why there is none.
    pub reason: Option<String>,
    /// Interval of that mean.
    pub range: ScoreRange,
    /// Metrics in the report's order.
    pub metrics: Vec<MetricFigure>,
    /// What the run took.
    pub usage: LevelUsage,
    /// Tasks that could not be read and are in no mean, each with the reason.
    pub skipped: Vec<String>,
}

/// A metric of a level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MetricFigure {
    /// Name as published.
    pub metric: String,
    /// Mean over the tasks.
    pub value: Option<f64>,
    /// Why there is none.
    pub reason: Option<String>,
    /// Interval of the mean.
    pub range: ScoreRange,
    /// Tasks in the mean, errors included; `null` where the report's file does not tell.
    pub scored: Option<u32>,
    /// Of these, tasks where the metric raised an error and counted 0.
    pub errored: u32,
    /// Tasks without a score.
    pub unscored: u32,
    /// Tasks that the metric is not about.
    pub not_applicable: u32,
    /// Why tasks have no score, with how many tasks each.
    pub reasons: Vec<ReasonCount>,
}

/// A reason and how many tasks it concerns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReasonCount {
    /// The reason.
    pub reason: String,
    /// Tasks.
    pub tasks: u32,
}

/// What a level's run took, as its log says. `null` is "not measured".
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LevelUsage {
    /// Model turns.
    pub steps: Option<f64>,
    /// Tool calls.
    pub calls: Option<f64>,
    /// Tokens of all tasks.
    pub tokens: Option<f64>,
    /// Prompt tokens a task.
    pub prompt_tokens: Option<f64>,
    /// Completion tokens a task.
    pub completion_tokens: Option<f64>,
    /// Seconds a task.
    pub seconds: Option<f64>,
    /// Seconds to the first token: mean.
    pub ttft: Option<f64>,
    /// Smallest.
    pub ttft_min: Option<f64>,
    /// Largest.
    pub ttft_max: Option<f64>,
    /// Tokens a second.
    pub tps: Option<f64>,
}

/// A task of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskFigure {
    /// Its level.
    pub level: Level,
    /// Task id.
    pub task: String,
    /// Whether the model came to an answer.
    pub answered: bool,
    /// Its score of each metric.
    pub scores: Vec<TaskScore>,
}

/// A task's score of one metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskScore {
    /// Name as published.
    pub metric: String,
    /// The score; an error counts 0.
    pub value: Option<f64>,
    /// Why there is none, or which error counted 0.
    pub why: Option<String>,
}

/// What the run behind a report adds, when its logs are in the workspace.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReportFacts {
    /// The run.
    pub run: Option<RunOfReport>,
    /// Why nothing is known of the run.
    pub reason: Option<String>,
    /// What each task took.
    pub tasks: Vec<TaskUsage>,
    /// What the run cost.
    pub cost: CostFigure,
    /// The same logs by the other scorer's rules.
    pub other: OtherScorer,
    /// The same logs with what people said in the place of judges; null when nobody did.
    pub people: Option<PeoplesWord>,
}

/// A report with what people said instead of judges. The report itself and its files stay as judged.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PeoplesWord {
    /// What they said.
    pub overrides: Vec<OverrideRow>,
    /// The means that it changes or could have changed: those of the metrics it is about.
    pub levels: Vec<OtherLevel>,
    /// Every reading of the composite.
    pub composites: Vec<CompositeRow>,
    /// What to know about it, one sentence each.
    pub notes: Vec<String>,
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
    /// Whether it is reckoned from the tokens and the price list of today instead of counted in the run.
    pub reckoned: bool,
    /// Why there is no number.
    pub reason: Option<String>,
}

/// The report's logs by the other scorer's rules.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OtherScorer {
    /// Which.
    pub scorer: Protocol,
    /// Why it cannot be computed at all.
    pub reason: Option<String>,
    /// Judge questions of this scorer in these logs.
    pub questions: u32,
    /// Those that nobody has answered yet.
    pub unanswered: u32,
    /// Means level by level.
    pub levels: Vec<OtherLevel>,
    /// The composite.
    pub composites: Vec<CompositeRow>,
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
    /// The mean.
    pub value: Option<f64>,
    /// Why there is none.
    pub reason: Option<String>,
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

/// A report as a file to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ReportFormat {
    /// One page for people, with everything in it.
    Html,
    /// `evaluation_report.json` as it is kept.
    Json,
    /// `evaluation_summary.csv` as it is kept.
    Csv,
    /// `evaluation_report.md` as it is kept.
    Md,
}

/// A file's name and text.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReportFile {
    /// Name to propose.
    pub name: String,
    /// Media type.
    pub media: String,
    /// Its text.
    pub text: String,
    /// What goes with it where the file itself cannot say it: how the report can be compared, and every number's interval.
    pub beside: Vec<BesideFile>,
}
