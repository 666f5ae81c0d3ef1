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

/// Where a report came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ReportOrigin {
    /// Scored here.
    Made,
    /// Brought in from elsewhere.
    #[default]
    Imported,
}

/// One report in the library.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReportRow {
    /// Report id: the name of its folder.
    pub id: String,
    /// Model id, under the name of the user's connection where one leads to its address; the
    /// folder's name when the report cannot be read.
    pub model: String,
    /// Address of the model's server, as far as the run says it; left out where it is the
    /// provider's own, and where the model's name says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub address: Option<String>,
    /// Date of the run: `YYYYMMDD_HHMMSS`, or `YYYYMMDD` where no more is known.
    pub date: String,
    /// Id of the run, for reports that were made here.
    pub run: Option<String>,
    /// What its run was made for, where that has only the tasks that this asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub part_of: Option<RunPart>,
    /// Pack of the run, `name@version`, when known.
    pub pack: Option<String>,
    /// Protocol of the run, when known. Published reports do not say it.
    pub protocol: Option<Protocol>,
    /// By which rules it was scored.
    pub scorer: Protocol,
    /// Judges, empty when none; null when the report does not say.
    pub judges: Option<Vec<String>>,
    /// Address of the judges' server, where the report says one and no connection of the workspace
    /// leads there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub judge_address: Option<String>,
    /// Made here or imported.
    pub origin: ReportOrigin,
    /// Whether it belongs to the reference set, which others are compared with.
    pub reference: bool,
    /// The composite score; `null` when a part is missing.
    pub composite: Option<f64>,
    /// Name of its reading: of a list, one that all its reports with a score have.
    pub variant: String,
    /// What that reading counts, one sentence.
    pub reading: Sentence,
    /// Why there is none.
    pub composite_reason: Option<Sentence>,
    /// Its interval, of reports that were made here; others have it on their page, which takes
    /// longer to make.
    pub composite_range: Option<ScoreRange>,
    /// SR over all tasks.
    pub success: Option<f64>,
    /// Its interval, Wilson's; null where single tasks are not known or SR is not yes or no.
    pub success_range: Option<ScoreRange>,
    /// The score of each level.
    pub levels: Vec<LevelFigure>,
    /// Tasks in the logs; `null` where the report's files do not tell.
    pub tasks: Option<u32>,
    /// Attempts of the run that it was made of, where some were still to be made or failed for
    /// technical reasons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub attempts: Option<AttemptCounts>,
    /// That the run went on after it was made, so that its numbers are not the run's any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub outdated: Option<Sentence>,
    /// Scores that could not be told, over all tasks and metrics.
    pub unscored: u32,
    /// How it can be compared with the published leaderboard; null when the report cannot be read.
    pub comparability: Option<Grade>,
    /// The gravest reason against it.
    pub comparability_reason: Option<Sentence>,
    /// The user's tags.
    pub tags: Vec<String>,
    /// The user's note.
    pub note: String,
    /// Why the report cannot be read, when it cannot.
    pub problem: Option<Sentence>,
}

/// One number for a level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LevelFigure {
    /// The level.
    pub level: Level,
    /// Plain mean of the level's own metrics, or why there is none.
    #[serde(flatten)]
    #[ts(flatten)]
    pub score: LevelScore,
}

/// A report as every face shows it.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReportView {
    /// Report id.
    pub id: String,
    /// Model id.
    pub model: String,
    /// `leaderboard` or `corrected`.
    pub scorer: Protocol,
    /// Judges asked; empty when none.
    pub judges: Vec<String>,
    /// Address of their server, where the report says one and no connection of the workspace leads
    /// there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub judge_address: Option<String>,
    /// Date of the run.
    pub execution_date: String,
    /// Id of the run; imported reports and those of earlier versions do not say it.
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
    /// Attempts of the run that it was made of; imported reports and those of earlier versions do
    /// not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub attempts: Option<AttemptCounts>,
    /// That the run went on after it was made, so that its numbers are not the run's any more. Not
    /// kept with the report, but found when it is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub outdated: Option<Sentence>,
    /// Levels in order.
    pub levels: Vec<LevelReport>,
    /// Every reading of the composite, first the one that the report is shown in.
    pub composites: Vec<CompositeFigure>,
    /// The metrics that every level has, over the tasks of all levels; empty where nobody has shown
    /// the report yet.
    #[serde(default)]
    pub overall: Vec<OverallFigure>,
    /// The report's folder.
    pub folder: String,
    /// Share of tool calls answered by a record, when the run is ours.
    pub cache_hits: Option<CacheUse>,
    /// How far the judges agree: a row a judged metric, then metrics together; empty when none was
    /// asked.
    #[serde(default)]
    pub agreement: Vec<JudgeAgreement>,
    /// What people said instead of judges and enters the `overridden` figures.
    #[serde(default)]
    pub overrides: Vec<OverrideRow>,
    /// How it can be compared, as it was known when it was scored; imported reports and those of
    /// earlier versions have none kept.
    #[serde(default)]
    #[ts(optional)]
    pub comparability: Option<Comparability>,
    /// What a reader must know before comparing these numbers: missing attempts, failed judges,
    /// another pack. One sentence each.
    pub notes: Vec<Sentence>,
    /// The tables of another benchmark's authors; left out in reports of Ko-AgentBench.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub benchmark: Option<BenchmarkTables>,
}

/// A whole report, all that its folder says.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReportDetail {
    /// The report as every face shows it.
    #[serde(flatten)]
    #[ts(flatten)]
    pub view: ReportView,
    /// As in the library.
    pub row: ReportRow,
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
    /// Whether its tasks were attempted several times: all numbers here but the published pass@k
    /// are of the first attempts.
    pub repeated: bool,
    /// Every evaluated task.
    pub tasks: Vec<TaskFigure>,
}

/// The composite score in one reading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CompositeFigure {
    /// Name of the reading, such as `flat_seed`.
    pub variant: String,
    /// What it counts, one sentence.
    #[serde(default)]
    pub reading: Sentence,
    /// Its value, or, when a part is missing, why there is none.
    #[serde(flatten)]
    #[ts(flatten)]
    pub figure: Figure,
    /// The value with what people said instead of judges; null when nobody did.
    #[serde(default)]
    pub overridden: Option<Figure>,
    /// Its interval; nothing where none was drawn, as in a list.
    #[serde(default)]
    #[ts(optional)]
    pub range: Option<ScoreRange>,
    /// Its four parts; empty where the report's file does not hold all metrics of the reading.
    #[serde(default)]
    pub parts: Vec<PartFigure>,
}

impl CompositeFigure {
    /// Its interval, or why there is none.
    pub fn bounds(&self) -> Bounds {
        self.range.clone().map_or_else(|| Err(Sentence::EMPTY), Into::into)
    }
}

/// A metric over the tasks of all levels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OverallFigure {
    /// Name as published.
    pub metric: String,
    /// Mean over all tasks, each weighing the same, or why a level has none.
    #[serde(flatten)]
    #[ts(flatten)]
    pub figure: Figure,
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

/// One level of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LevelReport {
    /// The level.
    pub level: Level,
    /// Tasks in the log; `null` where the report's file does not tell.
    pub tasks: Option<u32>,
    /// Tasks evaluated; `null` as above.
    pub evaluated: Option<u32>,
    /// Plain mean of the level's own metrics, or why there is none.
    #[serde(flatten)]
    #[ts(flatten)]
    pub score: LevelScore,
    /// Interval of that mean; nothing where none was drawn, as in a list.
    #[serde(default)]
    #[ts(optional)]
    pub range: Option<ScoreRange>,
    /// Its metrics in the report's order.
    pub metrics: Vec<MetricFigure>,
    /// What the run took.
    #[serde(default)]
    pub usage: LevelUsage,
    /// Tasks that could not be read and are in no mean, each with the reason.
    pub skipped: Vec<Sentence>,
}

/// A metric of a level: its mean, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MetricFigure {
    /// Metric name as published, such as `ToolAcc`.
    pub metric: String,
    /// Mean over the scored tasks, or why there is none.
    #[serde(flatten)]
    #[ts(flatten)]
    pub mean: MeanFigure,
    /// Interval of the mean; nothing where none was drawn, as in a list.
    #[serde(default)]
    #[ts(optional)]
    pub range: Option<ScoreRange>,
    /// Tasks in the mean, errors included; `null` where the report's file does not tell.
    pub scored: Option<u32>,
    /// Of these, tasks where the metric raised an error and counted 0.
    #[serde(default)]
    pub errored: u32,
    /// Tasks without a score.
    pub unscored: u32,
    /// Of these, tasks that the metric is not about.
    #[serde(default)]
    pub not_applicable: u32,
    /// Why tasks have no score, one sentence a distinct reason.
    pub reasons: Vec<Sentence>,
    /// The mean with what people said instead of judges; null when nobody did for this metric of
    /// this level. `mean` and all published files stay as judged.
    #[serde(default)]
    pub overridden: Option<Figure>,
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
    /// What another benchmark found about it, a row each of its own metrics; left out in reports of
    /// Ko-AgentBench.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<ItemRow>>")]
    pub rows: Vec<ItemRow>,
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
    pub why: Option<Sentence>,
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
    /// What goes with it where the file itself cannot say it: how the report can be compared, and
    /// every number's interval.
    pub beside: Vec<BesideFile>,
}
