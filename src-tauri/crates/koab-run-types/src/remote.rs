//! Runs whose workers a cluster engine starts.

use koab_cluster::{EngineKind, State};
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Options for submitting a run to a cluster engine.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RemoteRequest {
    /// The cluster engine.
    pub engine: EngineKind,
    /// Number of shards; left out, the program chooses one for the run.
    #[serde(default)]
    #[ts(optional)]
    pub shards: Option<u32>,
    /// Maximum number of concurrent workers; 8 when left out.
    #[serde(default)]
    #[ts(optional)]
    pub at_once: Option<u32>,
    /// Arguments for the engine, such as `-p gpu --time=4:00:00`. Left out for a resumed run, its
    /// earlier arguments apply.
    #[serde(default)]
    #[ts(optional)]
    pub engine_args: Option<String>,
}

/// Plan of a submission to a cluster engine.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct RemotePlan {
    /// The cluster engine.
    pub engine: EngineKind,
    /// Attempts that are still to be made.
    pub attempts: u32,
    /// Number of shards of the run.
    pub shards: u32,
    /// Number of shards that workers would make.
    pub unfinished: u32,
    /// Maximum number of concurrent workers.
    pub at_once: u32,
    /// Files of the submission; the last one is the submitted script or manifest.
    pub files: Vec<RemoteFile>,
}

/// A file of a submission to a cluster engine.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct RemoteFile {
    /// File name.
    pub name: String,
    /// Content of the file.
    pub text: String,
}

/// Kind of work that a run's workers do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum RemoteWork {
    /// Workers make the run's attempts.
    #[default]
    Attempts,
    /// Workers call the run's judges.
    Judging,
}

/// Result of one shard of a judging.
#[derive(Clone, Debug, Serialize)]
pub struct JudgingPart {
    /// Run id.
    pub run: String,
    /// Number of answers received from judges.
    pub answered: u32,
    /// Number of received answers that are unusable.
    pub failed: u32,
    /// Reason why the remaining questions were not asked.
    pub stopped: Option<Sentence>,
    /// Whether another worker has taken the shard over.
    pub taken_over: bool,
}

/// Result of merging the shards of a judging.
#[derive(Clone, Debug, Serialize)]
pub struct JudgingMerge {
    /// Run id.
    pub run: String,
    /// Number of answers that the judging needs.
    pub total: u32,
    /// Number of answers that exist.
    pub answered: u32,
    /// Number of answers that are unusable.
    pub failed: u32,
    /// Number of answers that are still to be requested.
    pub missing: u32,
    /// Number of answers that two workers of the same shard received; the earlier ones count.
    pub doubled: u32,
    /// Problems with files, one sentence each.
    pub problems: Vec<Sentence>,
}

/// A run on a cluster engine.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct RemoteRun {
    /// Run id.
    pub run: String,
    /// Kind of work. The counts below are attempts, or answers of judges.
    pub work: RemoteWork,
    /// The cluster engine.
    pub engine: EngineKind,
    /// Job ids at the engine, the newest last.
    pub jobs: Vec<String>,
    /// Maximum number of concurrent workers.
    pub at_once: u32,
    /// Time of the last submission, milliseconds since the Unix epoch.
    pub submitted_ms: u64,
    /// Whether workers are waiting or running.
    pub active: bool,
    /// Whether the engine still has to merge the workers' files.
    pub merging: bool,
    /// Reason why the engine did not answer; the states below then come from the files alone.
    pub silent: Option<Sentence>,
    /// The run's shards.
    pub shards: Vec<RemoteShard>,
    /// Numbers of shards by state.
    pub states: RemoteStates,
    /// Names of the nodes that work on the run now.
    pub nodes: Vec<String>,
    /// Planned attempts of the run.
    pub planned: u32,
    /// Attempts that have ended.
    pub done: u32,
    /// Ended attempts that failed for technical reasons.
    pub failed: u32,
    /// Tokens of the ended attempts.
    pub tokens: u64,
    /// Cost of the ended attempts in USD; null when unknown.
    pub usd: Option<f64>,
    /// Cap on the run's cost, in USD.
    pub max_cost: Option<f64>,
    /// Cap on the run's tokens.
    pub max_total_tokens: Option<u64>,
    /// Number of calls that were repeated because the server's rate limit refused them.
    pub rate_limits: u32,
}

/// Numbers of shards by state.
#[derive(Clone, Copy, Debug, Default, Serialize, TS)]
#[ts(export)]
pub struct RemoteStates {
    /// Shards that have not started.
    pub waiting: u32,
    /// Shards that are being made.
    pub running: u32,
    /// Complete shards.
    pub done: u32,
    /// Shards that ended incomplete.
    pub failed: u32,
    /// Shards that a user cancelled.
    pub cancelled: u32,
    /// Shards in an unknown state, since the engine does not answer.
    pub unknown: u32,
}

/// A shard of a run on a cluster engine.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct RemoteShard {
    /// 0-based shard number.
    pub index: u32,
    /// State of the shard.
    pub state: State,
    /// Name of the node that makes the shard, or made it last.
    pub node: Option<String>,
    /// Reason why the shard is waiting or has failed.
    pub reason: Option<Sentence>,
    /// Number of restarts by the engine.
    pub restarts: u32,
    /// Attempts of the shard.
    pub planned: u32,
    /// Attempts that have ended.
    pub done: u32,
}
