//! What of runs and their reports crosses to the UI, with TypeScript twins generated into
//! `ui/src/ipc/gen.ts`.
//!
//! A field that holds a number which may not exist is `null` with a reason beside it, never 0
//! (invariant 7 of `docs/ARCHITECTURE.md`). No secret is ever part of a type here.
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
    /// Model id, under the name of the user's connection where one leads to its address.
    pub model: String,
    /// Address of the model's server; left out where it is the provider's own, and where the
    /// model's name says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub address: Option<String>,
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
    /// The command that goes on with it; null when it is complete, is being made, or was not made
    /// here.
    pub resume: Option<String>,
    /// USD spent on it; null when that is not known.
    pub usd: Option<f64>,
    /// The agent that drove the model, with its version; left out where this program did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub agent: Option<String>,
    /// How far it has come; left out for runs that were not made here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub status: Option<RunStatus>,
    /// Whether the live APIs were asked; left out where only cached responses counted, and where
    /// nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cache_mode: Option<CacheMode>,
    /// True where answers counted that the user keeps beside the pack; left out where none did, and
    /// where nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub overlay: Option<bool>,
    /// The run whose tasks this one made again, with calls that it had missed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub completes: Option<String>,
    /// The engine of a cluster that it was handed to; left out where it was made here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub remote: Option<EngineKind>,
    /// The engine that its judging was handed to, until what came of it is in the workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub judging: Option<EngineKind>,
    /// The user's tags, each once.
    #[serde(default)]
    pub tags: Vec<String>,
    /// The user's note; empty when there is none.
    #[serde(default)]
    pub note: String,
    /// What it was made for, where it has only the tasks that this asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub part_of: Option<RunPart>,
    /// Why its state is not known: one of its files is damaged. Such a run is not gone on with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub unreadable: Option<Sentence>,
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
