//! Reports as the library and the report page show them.

use super::{
    BesideFile, CacheUse, Figure, JudgeAgreement, LevelScore, MeanFigure, OverrideRow, RunPart, ScoreRange,
};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::sentence::Sentence;
use koab_report::comparability::{AttemptCounts, Comparability, Grade};
use koab_report::interval::Bounds;
use koab_report::{BenchmarkTables, ItemRow};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Origin of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ReportOrigin {
    /// Scored in this workspace.
    Made,
    /// Imported from elsewhere.
    #[default]
    Imported,
}

/// One report in the library.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReportRow {
    /// Report id: the name of its folder.
    pub id: String,
    /// Model id, which begins with the name of the user's connection where one has the server's
    /// address. For an unreadable report, the folder's name.
    pub model: String,
    /// Address of the model's server, where the run records one. Left out for the provider's own
    /// server, and where the model id names a connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub address: Option<String>,
    /// Date of the run: `YYYYMMDD_HHMMSS`, or `YYYYMMDD` where no more is known.
    pub date: String,
    /// Run id, for reports that were made here.
    pub run: Option<String>,
    /// The larger measurement that the run is a part of; left out for a run of the pack's own
    /// tasks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub part_of: Option<RunPart>,
    /// Pack of the run, `name@version`, when known.
    pub pack: Option<String>,
    /// Protocol of the run, when known. Published reports do not record it.
    pub protocol: Option<Protocol>,
    /// Scorer of the report.
    pub scorer: Protocol,
    /// Judges; empty when no judge was called, null when the report does not record them.
    pub judges: Option<Vec<String>>,
    /// Address of the judges' server, where the report records one that no connection of the
    /// workspace has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub judge_address: Option<String>,
    /// Whether the report was made here or imported.
    pub origin: ReportOrigin,
    /// Whether the report belongs to the reference set, which other reports are compared with.
    pub reference: bool,
    /// The composite score; `null` when a part is missing.
    pub composite: Option<f64>,
    /// Name of the composite's reading. In a list, all reports with a composite share the reading.
    pub variant: String,
    /// Sentence on the parts that the reading counts.
    pub reading: Sentence,
    /// Reason why the composite is missing.
    pub composite_reason: Option<Sentence>,
    /// Interval of the composite, for reports that were made here. Other reports show it on their
    /// page, because it takes longer to compute.
    pub composite_range: Option<ScoreRange>,
    /// SR over all tasks.
    pub success: Option<f64>,
    /// Wilson interval of SR; null where the single tasks are unknown or SR is not yes or no.
    pub success_range: Option<ScoreRange>,
    /// The score of each level.
    pub levels: Vec<LevelFigure>,
    /// Number of tasks in the logs; `null` where the report's files do not contain it.
    pub tasks: Option<u32>,
    /// Numbers of the run's attempts, where some were still to be made or had failed for technical
    /// reasons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub attempts: Option<AttemptCounts>,
    /// Warning that the run continued after the scoring, so that the report lacks its newer
    /// attempts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub outdated: Option<Sentence>,
    /// Number of unscored values, over all tasks and metrics.
    pub unscored: u32,
    /// Grade of the comparison with the published leaderboard; null when the report cannot be read.
    pub comparability: Option<Grade>,
    /// The most serious reason against full comparability.
    pub comparability_reason: Option<Sentence>,
    /// The user's tags.
    pub tags: Vec<String>,
    /// The user's note.
    pub note: String,
    /// Reason why the report cannot be read; null when it can.
    pub problem: Option<Sentence>,
}

/// The score of a level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LevelFigure {
    /// The level.
    pub level: Level,
    /// Plain mean of the level's own metrics, or the reason why it is missing.
    #[serde(flatten)]
    #[ts(flatten)]
    pub score: LevelScore,
}

/// A report as the command line, the page and the window show it.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReportView {
    /// Report id.
    pub id: String,
    /// Model id.
    pub model: String,
    /// Scorer: `leaderboard` or `corrected`.
    pub scorer: Protocol,
    /// Judges that were called; empty without any.
    pub judges: Vec<String>,
    /// Address of the judges' server, where the report records one that no connection of the
    /// workspace has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub judge_address: Option<String>,
    /// Date of the run.
    pub execution_date: String,
    /// Run id; left out in imported reports and those of earlier versions.
    #[serde(default)]
    #[ts(optional)]
    pub run: Option<String>,
    /// Pack of the run, `name@version`, when known.
    #[serde(default)]
    #[ts(optional)]
    pub pack: Option<String>,
    /// Protocol of the run, when known.
    #[serde(default)]
    #[ts(optional)]
    pub protocol: Option<Protocol>,
    /// Numbers of the run's attempts; left out in imported reports and those of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub attempts: Option<AttemptCounts>,
    /// Warning that the run continued after the scoring, so that the report lacks its newer
    /// attempts. Not stored with the report but determined when it is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub outdated: Option<Sentence>,
    /// Levels in order.
    pub levels: Vec<LevelReport>,
    /// Every reading of the composite. The first is the reading that the report is shown in.
    pub composites: Vec<CompositeFigure>,
    /// The metrics that every level has, over the tasks of all levels; empty until the report is
    /// first shown.
    #[serde(default)]
    pub overall: Vec<OverallFigure>,
    /// Path of the report's folder.
    pub folder: String,
    /// Cache hits among the tool calls, for a run that was made here.
    pub cache_hits: Option<CacheUse>,
    /// Agreement of the judges: one row per judged metric, then rows for metrics together. Empty
    /// without judges.
    #[serde(default)]
    pub agreement: Vec<JudgeAgreement>,
    /// Human overrides, which the `overridden` figures include.
    #[serde(default)]
    pub overrides: Vec<OverrideRow>,
    /// Comparability at the time of the scoring; left out in imported reports and those of earlier
    /// versions.
    #[serde(default)]
    #[ts(optional)]
    pub comparability: Option<Comparability>,
    /// Caveats for a comparison: missing attempts, failed judges, another pack. One sentence each.
    pub notes: Vec<Sentence>,
    /// The tables of another benchmark's authors; left out in reports of Ko-AgentBench.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub benchmark: Option<BenchmarkTables>,
}

/// A whole report with everything in its folder.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReportDetail {
    /// The report as every face of the program shows it.
    #[serde(flatten)]
    #[ts(flatten)]
    pub view: ReportView,
    /// The report's row in the library.
    pub row: ReportRow,
    /// Published files in the report's folder: `json`, `csv`, `md`.
    pub files: Vec<String>,
    /// Date and time of the scoring.
    pub evaluation_date: String,
    /// Scored tasks per level, when not all were scored.
    pub sample: Option<u32>,
    /// Number of votes of the first judge on SR.
    pub votes: u32,
    /// Function that combines several judges' grades: `mean` or `median`.
    pub aggregate: String,
    /// Whether the run attempted its tasks several times. All numbers here except the published
    /// pass@k are then those of the first attempts.
    pub repeated: bool,
    /// All evaluated tasks.
    pub tasks: Vec<TaskFigure>,
}

/// The composite score in one reading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CompositeFigure {
    /// Name of the reading, such as `flat_seed`.
    pub variant: String,
    /// Sentence on the parts that the reading counts.
    #[serde(default)]
    pub reading: Sentence,
    /// The composite's value, or the reason why it is missing.
    #[serde(flatten)]
    #[ts(flatten)]
    pub figure: Figure,
    /// The value with human overrides; null without any.
    #[serde(default)]
    pub overridden: Option<Figure>,
    /// Interval of the composite; left out where none was computed, as in a list.
    #[serde(default)]
    #[ts(optional)]
    pub range: Option<ScoreRange>,
    /// The four parts; empty where the report's file lacks metrics of the reading.
    #[serde(default)]
    pub parts: Vec<PartFigure>,
}

impl CompositeFigure {
    /// Returns the interval, or the reason why it is missing.
    pub fn bounds(&self) -> Bounds {
        self.range.clone().map_or_else(|| Err(Sentence::EMPTY), Into::into)
    }
}

/// A metric over the tasks of all levels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OverallFigure {
    /// Metric name as published.
    pub metric: String,
    /// Mean over all tasks with equal weights, or the reason why it is missing.
    #[serde(flatten)]
    #[ts(flatten)]
    pub figure: Figure,
    /// Interval of the mean.
    pub range: ScoreRange,
    /// Number of tasks in the mean; null without a mean.
    pub tasks: Option<u32>,
}

/// A part of the composite score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PartFigure {
    /// Name of the part: `basic`, `error_handling`, `efficiency` or `context`.
    pub part: String,
    /// Weight of the part in the composite.
    pub weight: f64,
    /// Value of the part.
    pub value: f64,
}

/// One level of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LevelReport {
    /// The level.
    pub level: Level,
    /// Number of tasks in the log; `null` where the report's file does not contain it.
    pub tasks: Option<u32>,
    /// Number of evaluated tasks; `null` where the report's file does not contain it.
    pub evaluated: Option<u32>,
    /// Plain mean of the level's own metrics, or the reason why it is missing.
    #[serde(flatten)]
    #[ts(flatten)]
    pub score: LevelScore,
    /// Interval of the mean; left out where none was computed, as in a list.
    #[serde(default)]
    #[ts(optional)]
    pub range: Option<ScoreRange>,
    /// The level's metrics in the report's order.
    pub metrics: Vec<MetricFigure>,
    /// Steps, tokens and times of the level.
    #[serde(default)]
    pub usage: LevelUsage,
    /// Unreadable tasks, which are in no mean, each with the reason.
    pub skipped: Vec<Sentence>,
}

/// Mean of a metric over a level, or the reason why it is missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MetricFigure {
    /// Metric name as published, such as `ToolAcc`.
    pub metric: String,
    /// Mean over the scored tasks, or the reason why it is missing.
    #[serde(flatten)]
    #[ts(flatten)]
    pub mean: MeanFigure,
    /// Interval of the mean; left out where none was computed, as in a list.
    #[serde(default)]
    #[ts(optional)]
    pub range: Option<ScoreRange>,
    /// Number of tasks in the mean, errors included; `null` where the report's file does not
    /// contain it.
    pub scored: Option<u32>,
    /// Number of scored tasks where the metric raised an error, which counts as 0.
    #[serde(default)]
    pub errored: u32,
    /// Number of tasks without a score.
    pub unscored: u32,
    /// Number of unscored tasks that the metric does not apply to.
    #[serde(default)]
    pub not_applicable: u32,
    /// Reasons for missing scores, one sentence per distinct reason.
    pub reasons: Vec<Sentence>,
    /// The mean with human overrides; null without overrides of this metric and level. `mean` and
    /// all published files stay as judged.
    #[serde(default)]
    pub overridden: Option<Figure>,
}

/// Steps, tokens and times of a level, from its log. `null` means "not measured".
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LevelUsage {
    /// Number of model turns.
    pub steps: Option<f64>,
    /// Number of tool calls.
    pub calls: Option<f64>,
    /// Tokens of all tasks.
    pub tokens: Option<f64>,
    /// Prompt tokens per task.
    pub prompt_tokens: Option<f64>,
    /// Completion tokens per task.
    pub completion_tokens: Option<f64>,
    /// Seconds per task.
    pub seconds: Option<f64>,
    /// Mean time to the first token, in seconds.
    pub ttft: Option<f64>,
    /// Smallest time to the first token, in seconds.
    pub ttft_min: Option<f64>,
    /// Largest time to the first token, in seconds.
    pub ttft_max: Option<f64>,
    /// Tokens per second.
    pub tps: Option<f64>,
}

/// A task of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskFigure {
    /// Level of the task.
    pub level: Level,
    /// Task id.
    pub task: String,
    /// Whether the model gave an answer.
    pub answered: bool,
    /// Scores of the task, one per metric.
    pub scores: Vec<TaskScore>,
    /// Results of the task under another benchmark's own metrics, one row each; left out in reports
    /// of Ko-AgentBench.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<ItemRow>>")]
    pub rows: Vec<ItemRow>,
}

/// A task's score of one metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskScore {
    /// Metric name as published.
    pub metric: String,
    /// The score; an error counts as 0. Null when unscored.
    pub value: Option<f64>,
    /// Reason for a missing score, or the error that counts as 0.
    pub why: Option<Sentence>,
}

/// File format of an exported report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ReportFormat {
    /// One page for people, with everything in it.
    Html,
    /// The report's `evaluation_report.json`, unchanged.
    Json,
    /// The report's `evaluation_summary.csv`, unchanged.
    Csv,
    /// The report's `evaluation_report.md`, unchanged.
    Md,
}

/// An exported report.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReportFile {
    /// Suggested file name.
    pub name: String,
    /// Media type.
    pub media: String,
    /// Content of the file.
    pub text: String,
    /// Companion files with everything that the format cannot contain: the comparability, and the
    /// interval of every number.
    pub beside: Vec<BesideFile>,
}
