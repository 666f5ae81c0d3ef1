//! What crosses to the UI, with TypeScript twins generated into `ui/src/ipc/gen`.
//!
//! A field that holds a number which may not exist is `null` with a reason beside it, never 0 (invariant 7 of
//! `docs/ARCHITECTURE.md`). No secret is ever part of a type here.

mod atlas;
mod bundle;
mod comparability;
mod drift;
mod editing;
mod egress;
mod forks;
mod judge_lab;
mod judging;
mod local;
mod misses;
mod packs;
mod pulled;
mod queue;
mod references;
mod repetitions;
mod report;
mod services;
mod snapshots;
mod submission;
mod tasks;
mod verdicts;

pub use atlas::*;
pub use bundle::*;
pub use comparability::{BesideFile, RunShown, Standing};
pub use drift::*;
pub use editing::*;
pub use egress::*;
pub use forks::*;
pub use judge_lab::*;
pub use judging::{AnswerScale, Compared, Figure, JudgeAgreement, PairKappa};
pub use local::*;
pub use misses::*;
pub use packs::*;
pub use pulled::*;
pub use queue::{CurrentRun, EndedRun, JudgesFrom, RunJudges, RunStatus, RunsNow, ScoreAfter};
pub use references::*;
pub use repetitions::*;
pub use report::*;
pub use services::*;
pub use snapshots::*;
pub use submission::*;
pub use tasks::*;
pub use verdicts::{
    DefaultJudge, EvaluatePlan, JudgeEstimate, OverrideRemoval, OverrideRequest, OverrideRow,
    QuestionVerdicts, StoredVerdict, TaskVerdicts,
};

use crate::local_run::LocalSettings;
use crate::options::CacheMode;
use koab_core::comparability::{AttemptCounts, Comparability};
use koab_core::event::{AnswerSource, LevelPlan, RunEvent, RunOutcome};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::record::StopReason;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What the window needs to know at its start.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AppInfo {
    /// Version of the product.
    pub version: String,
    /// The workspace folder.
    pub home: String,
    /// Language the system asks for: `ko` or `en`.
    pub language: String,
    /// The run in progress, if there is one (after a reload of the window).
    pub current_run: Option<String>,
}

/// Tasks of one level in a pack.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LevelCount {
    /// The level.
    pub level: Level,
    /// Its tasks.
    pub tasks: u32,
}

/// One pack of the workspace.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PackSummary {
    /// Name, unique in the workspace.
    pub name: String,
    /// Version of the pack.
    pub version: String,
    /// One line for people.
    pub title: String,
    /// Licence of its data.
    pub licence: String,
    /// Whether the data is invented sample data.
    pub sample: bool,
    /// Whether runs use it unless told otherwise.
    pub active: bool,
    /// Tasks a level, levels without tasks left out.
    pub levels: Vec<LevelCount>,
    /// Tool definitions.
    pub tools: u32,
    /// Recorded responses.
    pub records: u32,
}

/// What a model is reached through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ModelKind {
    /// Built in; needs nothing.
    Baseline,
    /// Behind a server; needs a model name.
    Server,
    /// On this disk, run inside the application.
    Local,
}

/// A model or kind of model that can be run.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ModelSummary {
    /// `provider/model`, or `provider/` where the model's name is the user's to give.
    pub id: String,
    /// How it is reached.
    pub kind: ModelKind,
    /// The base URL used when none is given.
    pub default_base_url: Option<String>,
    /// Whether it cannot be asked without a base URL.
    pub needs_base_url: bool,
    /// Keys and settings without which it cannot be asked at its own address; with another base URL none is needed.
    pub needs: Vec<KeyNeed>,
    /// What can be chosen of a model inside the application; left out for all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub local: Option<LocalChoice>,
}

/// What can be chosen of a model inside the application.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalChoice {
    /// Whether it is converted before its first run, so that its precision can be chosen; GGUF files are not.
    pub converts: bool,
    /// Tokens that it was trained for; null when its files do not say.
    pub context: Option<u32>,
}

/// A key or setting that a provider needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct KeyNeed {
    /// Its names; one of them is enough.
    pub any_of: Vec<String>,
    /// Whether one of them is there.
    pub present: bool,
}

/// What to run. What is left out is as published.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunRequest {
    /// The run's id, minted by the caller, which subscribes before it starts.
    pub run: String,
    /// Pack name; `null` means the active one.
    pub pack: Option<String>,
    /// `provider/model`.
    pub model: String,
    /// Base URL of the server, for models behind one.
    pub base_url: Option<String>,
    /// Levels to run.
    pub levels: Vec<Level>,
    /// Protocol.
    pub protocol: Protocol,
    /// Attempts a task, 1 or more.
    pub repetitions: u32,
    /// Attempts in flight; `null` means automatic.
    pub concurrency: Option<u32>,
    /// A run to go on with, by id; its own settings then count, and `model` may be empty.
    #[serde(default)]
    #[ts(optional)]
    pub resume: Option<String>,
    /// USD that the run may cost, over all its starts.
    #[serde(default)]
    #[ts(optional)]
    pub max_cost: Option<f64>,
    /// Tokens that the run may take, over all its starts.
    #[serde(default)]
    #[ts(optional)]
    pub max_total_tokens: Option<u64>,
    /// USD that all runs of the workspace may cost a day.
    #[serde(default)]
    #[ts(optional)]
    pub max_cost_per_day: Option<f64>,
    /// Tokens that all runs of the workspace may take a day.
    #[serde(default)]
    #[ts(optional)]
    pub max_total_tokens_per_day: Option<u64>,
    /// Task ids; none means all of the levels.
    #[serde(default)]
    #[ts(optional)]
    pub tasks: Option<Vec<String>>,
    /// Model turns an attempt.
    #[serde(default)]
    #[ts(optional)]
    pub max_steps: Option<u32>,
    /// Seconds a task.
    #[serde(default)]
    #[ts(optional)]
    pub timeout_s: Option<f64>,
    /// L6/L7: the model plays every turn instead of only the last.
    #[serde(default)]
    #[ts(optional)]
    pub full_rollout: Option<bool>,
    /// Sampling temperature.
    #[serde(default)]
    #[ts(optional)]
    pub temperature: Option<f64>,
    /// Output tokens a model call.
    #[serde(default)]
    #[ts(optional)]
    pub max_tokens: Option<u32>,
    /// Reasoning effort: `low`, `medium` or `high`.
    #[serde(default)]
    #[ts(optional)]
    pub effort: Option<String>,
    /// Sampling seed.
    #[serde(default)]
    #[ts(optional)]
    pub seed: Option<u64>,
    /// How it is scored once it has ended; nothing when left out.
    #[serde(default)]
    #[ts(optional)]
    pub score: Option<ScoreAfter>,
    /// How a model inside the application runs.
    #[serde(default)]
    #[ts(optional)]
    pub local: Option<LocalSettings>,
    /// Snapshot whose responses are read instead of the pack's own; none when left out.
    #[serde(default)]
    #[ts(optional)]
    pub cache_snapshot: Option<String>,
    /// Where tool calls are answered from; recorded responses only when left out.
    #[serde(default)]
    #[ts(optional)]
    pub cache_mode: Option<CacheMode>,
    /// In write mode: services whose keys are missing are left out, instead of the run.
    #[serde(default)]
    #[ts(optional)]
    pub without_keys: Option<bool>,
    /// In read mode: what the user keeps beside the pack answers too.
    #[serde(default)]
    #[ts(optional)]
    pub with_overlay: Option<bool>,
    /// A run, by id, whose tasks are made again as far as calls that they missed are kept now; its own settings then count,
    /// and `model` may be empty.
    #[serde(default)]
    #[ts(optional)]
    pub misses_of: Option<String>,
}

/// A run as it stands, enough to draw its screen after a reload: the events so far.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunSnapshot {
    /// Run id.
    pub run: String,
    /// Every event so far, in order. The UI's reducer draws them as it draws live ones.
    pub events: Vec<RunEvent>,
    /// Whether the run is over.
    pub finished: bool,
}

/// A level of a run.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunLevel {
    /// The level.
    pub level: Level,
    /// Its tasks; `null` when the log of a run from elsewhere does not say their number.
    pub tasks: Option<u32>,
}

/// A run kept in the workspace.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunSummary {
    /// Run id: `<model folder>/<date>`.
    pub id: String,
    /// Model id as given.
    pub model: String,
    /// `YYYYMMDD_HHMMSS`.
    pub date: String,
    /// Pack `name@version`, when known.
    pub pack: Option<String>,
    /// Protocol, when known (imported logs do not say).
    pub protocol: Option<Protocol>,
    /// The levels that have a log or are planned.
    pub levels: Vec<RunLevel>,
    /// Whether every planned attempt ended.
    pub complete: bool,
    /// Process that is making the run now.
    pub held_by: Option<u32>,
    /// The command that goes on with it; null when it is complete, is being made, or was not made here.
    pub resume: Option<String>,
    /// USD spent on it; null when that is not known.
    pub usd: Option<f64>,
    /// How far it has come; left out for runs that were not made here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub status: Option<RunStatus>,
    /// Whether the real services were asked; left out where only recorded responses counted, and where nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cache_mode: Option<CacheMode>,
    /// True where answers counted that the user keeps beside the pack; left out where none did, and where nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub overlay: Option<bool>,
    /// The run whose tasks this one made again, with calls that it had missed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub completes: Option<String>,
    /// The user's tags, each once.
    #[serde(default)]
    pub tags: Vec<String>,
    /// The user's note; empty when there is none.
    #[serde(default)]
    pub note: String,
    /// The run's folder.
    pub folder: String,
}

/// How to score a run.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct EvaluateRequest {
    /// Run id.
    pub run: String,
    /// `leaderboard` or `corrected`.
    pub scorer: Protocol,
    /// Judge models `provider/model`; empty means no judge, and judge metrics stay unscored.
    pub judges: Vec<String>,
    /// Base URL for judges behind a server.
    pub judge_base_url: Option<String>,
    /// How judges inside the application run.
    #[serde(default)]
    #[ts(optional)]
    pub judge_local: Option<LocalSettings>,
    /// USD that the judges may cost.
    #[serde(default)]
    #[ts(optional)]
    pub max_cost: Option<f64>,
    /// Tokens that the judges may take.
    #[serde(default)]
    #[ts(optional)]
    pub max_total_tokens: Option<u64>,
}

/// A metric of a level: its mean, or why there is none.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MetricRow {
    /// Metric name as published, such as `ToolAcc`.
    pub metric: String,
    /// Mean over the scored tasks; `null` when none was scored.
    pub mean: Option<f64>,
    /// Tasks that were scored; `null` where the report's file does not tell.
    pub scored: Option<u32>,
    /// Tasks that were not.
    pub unscored: u32,
    /// Why tasks were not scored, one sentence a distinct reason.
    pub reasons: Vec<String>,
    /// The mean with what people said instead of judges; null when nobody did for this metric of this level. `mean` and
    /// all published files stay as judged.
    #[serde(default)]
    pub overridden: Option<Figure>,
    /// Its confidence interval. Not kept with the report, but made when it is shown.
    #[serde(default)]
    #[ts(optional)]
    pub range: Option<ScoreRange>,
}

/// One level of a report.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LevelReport {
    /// The level.
    pub level: Level,
    /// Tasks in the log; `null` where the report's file does not tell.
    pub tasks: Option<u32>,
    /// Tasks evaluated; `null` as above.
    pub evaluated: Option<u32>,
    /// Its metrics in the report's order.
    pub metrics: Vec<MetricRow>,
    /// Tasks that could not be read and are in no mean, each with the reason.
    pub skipped: Vec<String>,
}

/// The composite score under one named variant.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CompositeRow {
    /// Name of the variant, such as `flat_seed`.
    pub variant: String,
    /// What it counts, one sentence.
    #[serde(default)]
    pub reading: String,
    /// The value; `null` when a part is missing.
    pub value: Option<f64>,
    /// Why there is no value.
    pub reason: Option<String>,
    /// The value with what people said instead of judges; null when nobody did.
    #[serde(default)]
    pub overridden: Option<Figure>,
    /// Its confidence interval; reports of earlier versions have none.
    #[serde(default)]
    #[ts(optional)]
    pub range: Option<ScoreRange>,
}

/// A report as the window shows it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
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
    /// Attempts of the run that it was made of; imported reports and those of earlier versions do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub attempts: Option<AttemptCounts>,
    /// That the run went on after it was made, so that its numbers are not the run's any more. Not kept with the report, but
    /// found when it is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub outdated: Option<String>,
    /// Levels in order.
    pub levels: Vec<LevelReport>,
    /// Every reading of the composite, first the one that the report is shown in.
    pub composites: Vec<CompositeRow>,
    /// The metrics that every level has, over the tasks of all levels; empty where nobody has shown the report yet.
    #[serde(default)]
    pub overall: Vec<OverallFigure>,
    /// The report's folder.
    pub folder: String,
    /// Share of tool calls answered by a record, when the run is ours.
    pub cache_hits: Option<CacheUse>,
    /// How far the judges agree: a row a judged metric, then metrics together; empty when none was asked.
    #[serde(default)]
    pub agreement: Vec<JudgeAgreement>,
    /// What people said instead of judges and enters the `overridden` figures.
    #[serde(default)]
    pub overrides: Vec<OverrideRow>,
    /// How it can be compared, as it was known when it was scored; imported reports and those of earlier versions have none
    /// kept.
    #[serde(default)]
    #[ts(optional)]
    pub comparability: Option<Comparability>,
    /// What a reader must know before comparing these numbers: missing attempts, failed judges, another pack. One
    /// sentence each.
    pub notes: Vec<String>,
}

/// How the tool calls of a run were answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CacheUse {
    /// Recorded responses found.
    pub hit: u32,
    /// Not found.
    pub miss: u32,
    /// Injected failures.
    pub injected: u32,
    /// Faulty calls that never reached the cache.
    pub refused: u32,
    /// Not recorded, so that the real service was asked; failures of it included.
    #[serde(default)]
    pub live: u32,
    /// Not recorded, but kept in the user's overlay since the real service was asked.
    #[serde(default)]
    pub overlay: u32,
}

impl CacheUse {
    /// Counts one answer.
    pub fn count(&mut self, source: AnswerSource) {
        match source {
            AnswerSource::Hit => self.hit += 1,
            AnswerSource::Miss => self.miss += 1,
            AnswerSource::Injected => self.injected += 1,
            AnswerSource::Refused => self.refused += 1,
            AnswerSource::Live => self.live += 1,
            AnswerSource::Overlay => self.overlay += 1,
        }
    }
}

/// An error as the UI receives it: a code it may branch on, and one sentence for people.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct WireError {
    /// What kind of error.
    pub code: ErrorCode,
    /// What, where, what to do: one sentence.
    pub message: String,
    /// The same in Korean, as far as it is a sentence of the engine and not of somebody else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub korean: Option<String>,
}

/// Kinds of errors that the UI treats differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ErrorCode {
    /// The request makes no sense as given.
    BadRequest,
    /// The named pack, run, report or model is not there.
    NotFound,
    /// The workspace cannot be opened, so that nothing else works either.
    NoWorkspace,
    /// A pack is needed and none is installed.
    NoPack,
    /// The model's server cannot be reached or refuses.
    ModelUnreachable,
    /// A hub gives the model out only to people who accepted its terms, or refuses the token.
    NoAccess,
    /// It would leave this computer, and the user keeps koab offline.
    Offline,
    /// No container engine answers.
    DockerUnavailable,
    /// The disk refuses: full, read-only.
    Storage,
    /// A file cannot be read as what it should be.
    BadFile,
    /// Something is already running.
    Busy,
    /// The user cancelled.
    Cancelled,
    /// The page in the browser has not shown a valid link to `koab serve`.
    SignedOut,
    /// The page in the browser gets no answer from `koab serve`.
    Disconnected,
    /// A fault of the product.
    Internal,
}

/// Types of `koab-core` that the UI uses; named here so that they are generated with the rest.
#[derive(TS)]
#[ts(export)]
pub struct CoreTypes {
    /// Events of a run.
    pub event: RunEvent,
    /// Plan of a level.
    pub plan: LevelPlan,
    /// Outcome of a run.
    pub outcome: RunOutcome,
    /// Why an attempt stopped.
    pub stop: StopReason,
}
