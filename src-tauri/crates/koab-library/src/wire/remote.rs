//! Runs that are divided into shards. A cluster engine (Slurm or Kubernetes) starts workers, and
//! each worker makes the attempts of one shard at a time.

use koab_cluster::{EngineKind, State};
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Plan of a submission to a cluster engine.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct RemotePlan {
    /// The cluster engine.
    pub engine: EngineKind,
    /// Number of attempts that are still to be made.
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
    /// Reason why the remaining questions were not sent to judges.
    pub stopped: Option<Sentence>,
    /// Whether another worker has taken over the shard.
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
    /// Kind of work. The numbers in this struct count attempts, or answers of judges.
    pub work: RemoteWork,
    /// The cluster engine.
    pub engine: EngineKind,
    /// Ids of the jobs at the engine, the newest last.
    pub jobs: Vec<String>,
    /// Maximum number of concurrent workers.
    pub at_once: u32,
    /// Time of the last submission, milliseconds since the Unix epoch.
    pub submitted_ms: u64,
    /// Whether workers are waiting or running.
    pub active: bool,
    /// Whether the engine still has to merge the workers' files.
    pub merging: bool,
    /// Reason why the engine did not answer. The states then come only from files.
    pub silent: Option<Sentence>,
    /// State of each shard of the run.
    pub shards: Vec<RemoteShard>,
    /// Number of shards in each state.
    pub states: RemoteStates,
    /// Names of the nodes where workers of the run are running.
    pub nodes: Vec<String>,
    /// Number of planned attempts of the run.
    pub planned: u32,
    /// Number of attempts that have ended.
    pub done: u32,
    /// Number of ended attempts that failed for technical reasons.
    pub failed: u32,
    /// Number of tokens of the ended attempts.
    pub tokens: u64,
    /// Cost of the ended attempts in USD; null if it is unknown.
    pub usd: Option<f64>,
    /// Cap on the run's cost, in USD.
    pub max_cost: Option<f64>,
    /// Cap on the run's tokens.
    pub max_total_tokens: Option<u64>,
    /// Number of calls that were repeated because the server's rate limit refused them.
    pub rate_limits: u32,
}

/// Number of shards in each state.
#[derive(Clone, Copy, Debug, Default, Serialize, TS)]
#[ts(export)]
pub struct RemoteStates {
    /// Number of shards that have not started.
    pub waiting: u32,
    /// Number of shards that are being made.
    pub running: u32,
    /// Number of complete shards.
    pub done: u32,
    /// Number of shards that ended incomplete.
    pub failed: u32,
    /// Number of shards that a user cancelled.
    pub cancelled: u32,
    /// Number of shards whose state is unknown, because the engine does not answer.
    pub unknown: u32,
}

/// A shard of a run on a cluster engine, with its progress.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct RemoteShard {
    /// 0-based shard number.
    pub index: u32,
    /// State of the shard.
    pub state: State,
    /// Name of the node where the shard is being made, or was made last.
    pub node: Option<String>,
    /// Reason why the shard is waiting or has failed.
    pub reason: Option<Sentence>,
    /// Number of restarts by the engine.
    pub restarts: u32,
    /// Number of planned attempts of the shard.
    pub planned: u32,
    /// Number of attempts of the shard that have ended.
    pub done: u32,
}
