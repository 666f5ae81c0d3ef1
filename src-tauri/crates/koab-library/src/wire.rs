//! Types of runs and their reports that are sent to the UI. The equivalent TypeScript types are
//! generated into `ui/src/ipc/gen.ts`.
//!
//! A number that may not exist is `null` with a reason in the same struct, never 0 (invariant 7 of
//! `docs/ARCHITECTURE.md`). No type here contains a secret.

mod comparability;
mod conduct;
mod drift;
mod estimate;
mod exact;
mod find;
mod forks;
mod judge_estimate;
mod judge_lab;
mod merge;
mod misses;
mod origin;
mod otlp;
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
pub use find::*;
pub use forks::*;
pub use judge_estimate::*;
pub use judge_lab::*;
pub use merge::*;
pub use misses::*;
pub use origin::{Origin, ShardRequest};
pub use otlp::*;
pub use part::RunPart;
pub use queue::{CurrentRun, EndedRun, JudgesFrom, RunJudges, RunStatus, RunsNow};
pub use references::*;
pub use remote::*;
pub use repetitions::*;
pub use report::*;
pub use report_facts::*;
pub use request::{RunRequest, ScoreAfter};
pub use services::*;
pub use transcript::*;
pub use verdicts::{
    DefaultJudge, EvaluatePlan, JudgeEstimate, OverrideAnswer, OverrideRemoval, OverrideRequest, OverrideRow,
    QuestionVerdicts, StoredVerdict, TaskVerdicts,
};

pub use koab_cluster::RemoteRequest;

use koab_cluster::EngineKind;
use koab_core::event::{LevelPlan, RunEvent, RunOutcome};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::run_record::CacheMode;
use koab_core::run_record::StopReason;
use koab_core::sentence::Sentence;
use koab_models::local_models::LocalSettings;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The events of a run until now. They are enough to draw the screen of the run after a reload.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunSnapshot {
    /// Run id.
    pub run: String,
    /// All events until now, in order. The UI handles them in the same way as live events.
    pub events: Vec<RunEvent>,
    /// Whether the run has ended.
    pub finished: bool,
}

/// Level that a run contains, with its number of tasks.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunLevel {
    /// The level.
    pub level: Level,
    /// Number of tasks; `null` if the log of an imported run does not contain it.
    pub tasks: Option<u32>,
}

/// A run in the workspace.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunSummary {
    /// Run id: `<model folder>/<date>`.
    pub id: String,
    /// Model id. If a connection of the user has the server's address, the id begins with the name
    /// of the connection.
    pub model: String,
    /// Address of the model's server. Left out for the provider's own server, and if the model id
    /// names a connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub address: Option<String>,
    /// Date and time of the run, `YYYYMMDD_HHMMSS`.
    pub date: String,
    /// Pack, `name@version`, if it is known.
    pub pack: Option<String>,
    /// Protocol, if it is known. Imported logs do not contain it.
    pub protocol: Option<Protocol>,
    /// The levels that are planned or have a log.
    pub levels: Vec<RunLevel>,
    /// Whether every planned attempt ended.
    pub complete: bool,
    /// Id of the process that is making the run; null if no process is making it.
    pub held_by: Option<u32>,
    /// The command that resumes the run. Null if the run is complete, is being made, or was made by
    /// another program.
    pub resume: Option<String>,
    /// Cost of the run in USD; null if it is unknown.
    pub usd: Option<f64>,
    /// The agent that drove the model, with its version; left out if this program drove the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub agent: Option<String>,
    /// Progress of the run; left out for runs that another program made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub status: Option<RunStatus>,
    /// Source of the run's tool responses. Left out for a run from cached responses only, and if
    /// the source is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cache_mode: Option<CacheMode>,
    /// True if the user's saved responses also answered calls. Left out if they did not, and if
    /// this is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub overlay: Option<bool>,
    /// Id of the run that this run completes. This run made some of its tasks again after its cache
    /// misses were filled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub completes: Option<String>,
    /// The cluster engine that the run was submitted to; left out if the run was made on this
    /// computer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub remote: Option<EngineKind>,
    /// The cluster engine that the judging of the run was submitted to. Left out after its result
    /// is in the workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub judging: Option<EngineKind>,
    /// The user's tags without duplicates.
    #[serde(default)]
    pub tags: Vec<String>,
    /// The user's note; empty if there is no note.
    #[serde(default)]
    pub note: String,
    /// The gate or adaptive run that made this run and chose its tasks. Left out for any other run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub part_of: Option<RunPart>,
    /// Reason why the state of the run is unknown: one of the run's files is damaged. Such a run
    /// cannot be resumed.
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
    /// Judge models `provider/model`. If empty, no judge is called and judge metrics remain
    /// unscored.
    pub judges: Vec<String>,
    /// Base URL of the judges' server; null for judges of a provider.
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

/// Types of `koab-core` that the UI uses. They are fields of this struct so that their TypeScript
/// types are generated too.
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
