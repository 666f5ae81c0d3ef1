//! Types of runs and their reports that are sent to the UI, with TypeScript twins generated into
//! `ui/src/ipc/gen.ts`.
//!
//! A number that may not exist is `null` with a reason in the same struct, never 0 (invariant 7 of
//! `docs/ARCHITECTURE.md`). No type here contains a secret.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod comparability;
mod conduct;
mod drift;
mod estimate;
mod exact;
mod forks;
mod judge_estimate;
mod judge_lab;
mod merge;
mod misses;
mod part;
mod queue;
mod references;
mod remote;
mod repetitions;
mod report;
mod report_facts;
mod request;
mod services;
mod transcript;
mod verdicts;

pub use comparability::{BesideFile, ComparableRun, Standing};
pub use conduct::*;
pub use drift::*;
pub use estimate::{Estimate, ShortLimit};
pub use exact::Exact;
pub use forks::*;
pub use judge_estimate::*;
pub use judge_lab::*;
pub use koab_cluster::{EngineKind, ShardLog, State as WorkerStanding};
pub use koab_core::measured::{Figure, LevelScore, MeanFigure, ScoreRange};
pub use koab_models::{KeyNeed, LocalChoice, ModelKind, ModelSummary, weights::*};
pub use koab_packs::wire::*;
pub use koab_report::{AnswerScale, Compared, JudgeAgreement, PairKappa};
pub use koab_workspace::egress::{EgressCleared, EgressView, OfflineView};
pub use koab_workspace::{ErrorCode, WireError};
pub use merge::*;
pub use misses::*;
pub use part::RunPart;
pub use queue::{CurrentRun, EndedRun, JudgesFrom, RunJudges, RunStatus, RunsNow};
pub use references::*;
pub use remote::*;
pub use repetitions::*;
pub use report::*;
pub use report_facts::*;
pub use request::{RunRequest, ScoreAfter, ShardRequest};
pub use services::*;
pub use transcript::*;
pub use verdicts::{
    DefaultJudge, EvaluatePlan, JudgeEstimate, OverrideRemoval, OverrideRequest, OverrideRow,
    QuestionVerdicts, StoredVerdict, TaskVerdicts,
};

use koab_core::event::{LevelPlan, RunEvent, RunOutcome};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::run_record::CacheMode;
pub use koab_core::run_record::CacheUse;
use koab_core::run_record::StopReason;
use koab_core::sentence::Sentence;
use koab_models::local_models::LocalSettings;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The events of a run so far, enough to draw its screen after a reload.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunSnapshot {
    /// Run id.
    pub run: String,
    /// Every event so far, in order. The UI's reducer treats them like live ones.
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
    /// Number of tasks; `null` when the log of an imported run does not contain it.
    pub tasks: Option<u32>,
}

/// A run in the workspace.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunSummary {
    /// Run id: `<model folder>/<date>`.
    pub id: String,
    /// Model id. It begins with the name of the user's connection where one has the server's
    /// address.
    pub model: String,
    /// Address of the model's server. Left out for the provider's own server, and where the model
    /// id names a connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub address: Option<String>,
    /// Date and time of the run, `YYYYMMDD_HHMMSS`.
    pub date: String,
    /// Pack `name@version`, when known.
    pub pack: Option<String>,
    /// Protocol, when known. Imported logs do not record it.
    pub protocol: Option<Protocol>,
    /// The levels that are planned or have a log.
    pub levels: Vec<RunLevel>,
    /// Whether every planned attempt ended.
    pub complete: bool,
    /// Id of the process that is making the run now.
    pub held_by: Option<u32>,
    /// The command that resumes the run. Null when it is complete, is being made, or was made
    /// elsewhere.
    pub resume: Option<String>,
    /// USD spent on the run; null when unknown.
    pub usd: Option<f64>,
    /// The agent that drove the model, with its version; left out where this program did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub agent: Option<String>,
    /// Progress of the run; left out for runs that were made elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub status: Option<RunStatus>,
    /// Whether the run could make live calls. Left out for a run from cached responses only, and
    /// where it is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cache_mode: Option<CacheMode>,
    /// True where the user's saved responses counted too; left out where they did not, and where it
    /// is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub overlay: Option<bool>,
    /// The run whose tasks this one made again, after calls without a cached response were filled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub completes: Option<String>,
    /// The cluster engine that the run was submitted to; left out where it was made here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub remote: Option<EngineKind>,
    /// The cluster engine that the run's judging was submitted to; left out once its result is in
    /// the workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub judging: Option<EngineKind>,
    /// The user's tags, each once.
    #[serde(default)]
    pub tags: Vec<String>,
    /// The user's note; empty without one.
    #[serde(default)]
    pub note: String,
    /// The larger measurement that this run is a part of; left out for a run of the pack's own
    /// tasks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub part_of: Option<RunPart>,
    /// Reason why the run's state is unknown: one of its files is damaged. Such a run cannot be
    /// resumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub unreadable: Option<Sentence>,
    /// Path of the run's folder.
    pub folder: String,
}

/// Request to score a run.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct EvaluateRequest {
    /// Run id.
    pub run: String,
    /// Scorer: `leaderboard` or `corrected`.
    pub scorer: Protocol,
    /// Judge models `provider/model`. Empty means no judge: judge metrics stay unscored.
    pub judges: Vec<String>,
    /// Base URL for judges behind a server.
    pub judge_base_url: Option<String>,
    /// Settings of judges that run inside the application.
    #[serde(default)]
    #[ts(optional)]
    pub judge_local: Option<LocalSettings>,
    /// Cap on the judges' cost, in USD.
    #[serde(default)]
    #[ts(optional)]
    pub max_cost: Option<f64>,
    /// Cap on the judges' tokens.
    #[serde(default)]
    #[ts(optional)]
    pub max_total_tokens: Option<u64>,
}

/// Types of `koab-core` that the UI uses. Listed here so that their TypeScript is generated with
/// the rest.
#[derive(TS)]
#[ts(export)]
pub struct CoreTypes {
    /// Events of a run.
    pub event: RunEvent,
    /// Plan of a level.
    pub plan: LevelPlan,
    /// Outcome of a run.
    pub outcome: RunOutcome,
    /// Reason for the end of an attempt.
    pub stop: StopReason,
}
