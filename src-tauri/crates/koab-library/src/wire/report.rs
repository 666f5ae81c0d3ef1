//! Reports as the library and the report page show them.

use super::{BesideFile, OverrideRow, RunPart};
use koab_core::level::Level;
use koab_core::measured::{Figure, LevelScore, MeanFigure, ScoreRange};
use koab_core::protocol::Protocol;
use koab_core::run_record::CacheUse;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_report::comparability::{AttemptCounts, Comparability, Grade};
use koab_report::interval::Bounds;
use koab_report::{BenchmarkTables, ItemRow, JudgeAgreement};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Source of a report: a scoring in this workspace, or an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ReportOrigin {
    /// Scored in this workspace.
    Made,
    /// Imported from a file, such as a published report or one of another workspace.
    #[default]
    Imported,
}

/// One report in the library.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReportRow {
    /// Report id: the name of its folder.
    pub id: String,
    /// Model id. If a connection of the user has the server's address, the id begins with the name
    /// of the connection. For an unreadable report, the name of its folder.
    pub model: String,
    /// Address of the model's server, if the run contains it. Left out for the provider's own
    /// server, and if the model id names a connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub address: Option<String>,
    /// Date of the run: `YYYYMMDD_HHMMSS`, or `YYYYMMDD` if the time is unknown.
    pub date: String,
    /// Run id, for reports that were made in this workspace.
    pub run: Option<String>,
    /// The gate or adaptive run that made the run and chose its tasks. Left out for any other run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub part_of: Option<RunPart>,
    /// Pack of the run, `name@version`, if it is known.
    pub pack: Option<String>,
    /// Protocol of the run, if it is known. Published reports do not contain it.
    pub protocol: Option<Protocol>,
    /// Scorer of the report.
    pub scorer: Protocol,
    /// Judges of the report. Empty if no judge was called; null if the report does not contain its
    /// judges.
    pub judges: Option<Vec<String>>,
    /// Address of the judges' server, if the report contains it and no connection of the workspace
    /// has this address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub judge_address: Option<String>,
    /// Whether the report was made in this workspace or imported.
    pub origin: ReportOrigin,
    /// Whether the report belongs to the reference set, which other reports are compared with.
    pub reference: bool,
    /// The composite score; `null` if a part of it is missing.
    pub composite: Option<f64>,
    /// Name of the composite's reading. In a list, all reports with a composite use the same
    /// reading.
    pub variant: String,
    /// Sentence that names the parts of the reading.
    pub reading: Sentence,
    /// Reason why the composite is missing.
    pub composite_reason: Option<Sentence>,
    /// Interval of the composite, for reports that were made in this workspace. Other reports have
    /// it only on their page, because it takes longer to compute.
    pub composite_range: Option<ScoreRange>,
    /// SR over all tasks.
    pub success: Option<f64>,
    /// Wilson interval of SR; null if the single tasks are unknown or if SR has other values than 0
    /// and 1.
    pub success_range: Option<ScoreRange>,
    /// The score of each level.
    pub levels: Vec<LevelFigure>,
    /// Number of tasks in the logs; `null` if the report's files do not contain it.
    pub tasks: Option<u32>,
    /// Numbers of the run's attempts, if some were missing or had failed for technical reasons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub attempts: Option<AttemptCounts>,
    /// Warning that the run continued after the scoring, so that the report lacks the newer
    /// attempts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub outdated: Option<Sentence>,
    /// Number of unscored values, over all tasks and metrics.
    pub unscored: u32,
    /// Grade of the comparability with the published leaderboard; null if the report cannot be
    /// read.
    pub comparability: Option<Grade>,
    /// The most serious reason against full comparability.
    pub comparability_reason: Option<Sentence>,
    /// The user's tags.
    pub tags: Vec<String>,
    /// The user's note.
    pub note: String,
    /// Reason why the report cannot be read; null if it can be read.
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

/// A report, as the command line, the page and the window show it.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReportView {
    /// Report id.
    pub id: String,
    /// Model id.
    pub model: String,
    /// Scorer: `leaderboard` or `corrected`.
    pub scorer: Protocol,
    /// Judges that were called; empty if no judge was called.
    pub judges: Vec<String>,
    /// Address of the judges' server, if the report contains it and no connection of the workspace
    /// has this address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub judge_address: Option<String>,
    /// Date of the run.
    pub execution_date: String,
    /// Run id; left out in imported reports and in reports of earlier versions.
    #[serde(default)]
    #[ts(optional)]
    pub run: Option<String>,
    /// Pack of the run, `name@version`, if it is known.
    #[serde(default)]
    #[ts(optional)]
    pub pack: Option<String>,
    /// Protocol of the run, if it is known.
    #[serde(default)]
    #[ts(optional)]
    pub protocol: Option<Protocol>,
    /// Numbers of the run's attempts; left out in imported reports and in reports of earlier
    /// versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub attempts: Option<AttemptCounts>,
    /// Warning that the run continued after the scoring, so that the report lacks the newer
    /// attempts. The warning is not stored but determined when the report is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub outdated: Option<Sentence>,
    /// Levels of the report in order.
    pub levels: Vec<LevelReport>,
    /// Every reading of the composite. The report shows the first reading.
    pub composites: Vec<CompositeFigure>,
    /// Metrics that every level has, over the tasks of all levels. Empty before the report is shown
    /// for the first time.
    #[serde(default)]
    pub overall: Vec<OverallFigure>,
    /// Path of the report's folder.
    pub folder: String,
    /// Cache hits among the tool calls, for a run that was made by this program.
    pub cache_hits: Option<CacheUse>,
    /// Agreement of the judges: one row per judged metric, then rows for several metrics together.
    /// Empty without judges.
    #[serde(default)]
    pub agreement: Vec<JudgeAgreement>,
    /// Human overrides. The `overridden` figures include them.
    #[serde(default)]
    pub overrides: Vec<OverrideRow>,
    /// Comparability at the time of the scoring; left out in imported reports and in reports of
    /// earlier versions.
    #[serde(default)]
    #[ts(optional)]
    pub comparability: Option<Comparability>,
    /// Caveats of a comparison, one sentence each: missing attempts, failed judges, another pack.
    pub notes: Vec<Sentence>,
    /// Results in the tables that another benchmark's authors publish; left out in reports of
    /// Ko-AgentBench.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub benchmark: Option<BenchmarkTables>,
}

/// A complete report with everything in its folder.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReportDetail {
    /// The report, as the command line, the page and the window show it.
    #[serde(flatten)]
    #[ts(flatten)]
    pub view: ReportView,
    /// The row of the report in the library.
    pub row: ReportRow,
    /// Published files in the report's folder: `json`, `csv`, `md`.
    pub files: Vec<String>,
    /// Date and time of the scoring.
    pub evaluation_date: String,
    /// Number of scored tasks per level, if not all tasks were scored.
    pub sample: Option<u32>,
    /// Number of votes that the first judge gives on SR.
    pub votes: u32,
    /// Function that combines several judges' grades: `mean` or `median`.
    pub aggregate: String,
    /// Whether the run attempted its tasks several times. All numbers in this struct then count the
    /// first attempts, except the published pass@k.
    pub repeated: bool,
    /// All tasks of the report.
    pub tasks: Vec<TaskFigure>,
}

/// The composite score in one reading: one of the possible definitions of the composite, since no
/// published code computes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CompositeFigure {
    /// Name of the reading, such as `flat_seed`.
    pub variant: String,
    /// Sentence that names the parts of the reading.
    #[serde(default)]
    pub reading: Sentence,
    /// The composite's value, or the reason why it is missing.
    #[serde(flatten)]
    #[ts(flatten)]
    pub figure: Figure,
    /// The composite with human overrides; null if there are no overrides.
    #[serde(default)]
    pub overridden: Option<Figure>,
    /// Interval of the composite; left out if it was not computed, as in a list.
    #[serde(default)]
    #[ts(optional)]
    pub range: Option<ScoreRange>,
    /// The four parts of the composite; empty if the report's file lacks metrics of the reading.
    #[serde(default)]
    pub parts: Vec<PartFigure>,
}

impl CompositeFigure {
    /// Returns the interval of the composite, or the reason why it is missing.
    pub fn bounds(&self) -> Bounds {
        self.range.clone().map_or_else(|| Err(Sentence::EMPTY), Into::into)
    }
}

/// A metric over the tasks of all levels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OverallFigure {
    /// Metric of the mean.
    pub metric: MetricId,
    /// Mean over all tasks with equal weights, or the reason why it is missing.
    #[serde(flatten)]
    #[ts(flatten)]
    pub figure: Figure,
    /// Interval of the mean.
    pub range: ScoreRange,
    /// Number of tasks in the mean; null if there is no mean.
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

/// Scores of one level in a report, with the numbers of tasks behind them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LevelReport {
    /// The level.
    pub level: Level,
    /// Number of tasks in the log; `null` if the report's file does not contain it.
    pub tasks: Option<u32>,
    /// Number of evaluated tasks; `null` if the report's file does not contain it.
    pub evaluated: Option<u32>,
    /// Plain mean of the level's own metrics, or the reason why it is missing.
    #[serde(flatten)]
    #[ts(flatten)]
    pub score: LevelScore,
    /// Interval of the mean; left out if it was not computed, as in a list.
    #[serde(default)]
    #[ts(optional)]
    pub range: Option<ScoreRange>,
    /// Metrics of the level in the order of the report.
    pub metrics: Vec<MetricFigure>,
    /// Steps, tokens and times of the level.
    #[serde(default)]
    pub usage: LevelUsage,
    /// Unreadable tasks, each with the reason. They do not count in any mean.
    pub skipped: Vec<Sentence>,
}

/// Mean of a metric over a level, or the reason why it is missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MetricFigure {
    /// Metric of the mean.
    pub metric: MetricId,
    /// Mean over the scored tasks, or the reason why it is missing.
    #[serde(flatten)]
    #[ts(flatten)]
    pub mean: MeanFigure,
    /// Interval of the mean; left out if it was not computed, as in a list.
    #[serde(default)]
    #[ts(optional)]
    pub range: Option<ScoreRange>,
    /// Number of tasks in the mean, including tasks with an error; `null` if the report's file does
    /// not contain it.
    pub scored: Option<u32>,
    /// Number of scored tasks with an error of the metric. Such a task counts as 0.
    #[serde(default)]
    pub errored: u32,
    /// Number of tasks without a score.
    pub unscored: u32,
    /// Number of unscored tasks that the metric does not apply to.
    #[serde(default)]
    pub not_applicable: u32,
    /// Distinct reasons why scores are missing, one sentence each.
    pub reasons: Vec<Sentence>,
    /// The mean with human overrides; null if no override concerns this metric and level. `mean`
    /// and all published files are without overrides.
    #[serde(default)]
    pub overridden: Option<Figure>,
}

/// Steps, tokens and times of a level, from its log. `null` means that the value was not measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LevelUsage {
    /// Number of model turns of all tasks.
    pub steps: Option<f64>,
    /// Number of tool calls of all tasks.
    pub calls: Option<f64>,
    /// Number of tokens of all tasks.
    pub tokens: Option<f64>,
    /// Number of prompt tokens per task.
    pub prompt_tokens: Option<f64>,
    /// Number of completion tokens per task.
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
    /// Whether the model gave a final answer.
    pub answered: bool,
    /// Scores of the task, one per metric.
    pub scores: Vec<TaskScore>,
    /// Results of the task in another benchmark's own metrics, one row per metric. Left out in
    /// reports of Ko-AgentBench.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<ItemRow>>")]
    pub rows: Vec<ItemRow>,
}

/// A task's score of one metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskScore {
    /// Metric of the score.
    pub metric: MetricId,
    /// The score; an error counts as 0. Null if the task is unscored.
    pub value: Option<f64>,
    /// Reason why the score is missing, or the error that counts as 0.
    pub why: Option<Sentence>,
}

/// File format of an exported report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ReportFormat {
    /// One page that contains everything, for people.
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
    /// Companion files with data that the format cannot contain: the comparability, and the
    /// interval of every number.
    pub beside: Vec<BesideFile>,
}
