//! Runs whose workers an engine of a cluster begins.

use koab_cluster::{EngineKind, State};
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How a run is handed to an engine.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RemoteRequest {
    /// Which engine.
    pub engine: EngineKind,
    /// Shards of the run; what suits it when left out.
    #[serde(default)]
    #[ts(optional)]
    pub shards: Option<u32>,
    /// Workers at once at most; 8 when left out.
    #[serde(default)]
    #[ts(optional)]
    pub at_once: Option<u32>,
    /// Words for the engine, such as `-p gpu --time=4:00:00`; of a run that goes on those that it
    /// had when left out.
    #[serde(default)]
    #[ts(optional)]
    pub engine_args: Option<String>,
}

/// What an engine would be given.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct RemotePlan {
    /// Which engine.
    pub engine: EngineKind,
    /// Attempts that are still to be made.
    pub attempts: u32,
    /// Shards of the run.
    pub shards: u32,
    /// Those that would be made.
    pub unfinished: u32,
    /// Workers at once at most.
    pub at_once: u32,
    /// Its files, the last one being what is asked of it.
    pub files: Vec<RemoteFile>,
}

/// A file that an engine is given.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct RemoteFile {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// What workers of a run do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum RemoteWork {
    /// They make its attempts.
    #[default]
    Attempts,
    /// They ask its judges.
    Judging,
}

/// What came of a part of a judging.
#[derive(Clone, Debug, Serialize)]
pub struct JudgingPart {
    /// The run, by its id.
    pub run: String,
    /// Answers that came in.
    pub answered: u32,
    /// Those of them that cannot be used.
    pub failed: u32,
    /// Why the rest was not asked.
    pub stopped: Option<Sentence>,
    /// Whether another start of the part makes it.
    pub taken_over: bool,
}

/// What a merge of a judging came to.
#[derive(Clone, Debug, Serialize)]
pub struct JudgingMerge {
    /// The run, by its id.
    pub run: String,
    /// Answers that are needed.
    pub total: u32,
    /// Those that are there.
    pub answered: u32,
    /// Those that cannot be used.
    pub failed: u32,
    /// Those that are still to be asked for.
    pub missing: u32,
    /// Those that two starts of a part were given; the earlier ones count.
    pub doubled: u32,
    /// What is wrong with files, one sentence each.
    pub problems: Vec<Sentence>,
}

/// A run at an engine.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct RemoteRun {
    /// The run, by its id.
    pub run: String,
    /// What is done for it there; what is counted are attempts, or answers of judges.
    pub work: RemoteWork,
    /// Which engine.
    pub engine: EngineKind,
    /// Its jobs there, the newest last.
    pub jobs: Vec<String>,
    /// Workers at once at most.
    pub at_once: u32,
    /// When it was handed over last, milliseconds since the Unix epoch.
    pub submitted_ms: u64,
    /// Whether workers wait or work there.
    pub active: bool,
    /// Whether what they made is still to be joined by the engine.
    pub merging: bool,
    /// Why the engine could not be asked; states are then those of the files alone.
    pub silent: Option<Sentence>,
    /// Its shards.
    pub shards: Vec<RemoteShard>,
    /// How many of them stand how.
    pub states: RemoteStates,
    /// Nodes that work for it now, by name.
    pub nodes: Vec<String>,
    /// Attempts of the run.
    pub planned: u32,
    /// Those that have ended.
    pub done: u32,
    /// Those of them that ended for technical reasons.
    pub failed: u32,
    /// Tokens of theirs.
    pub tokens: u64,
    /// USD for those; null when that is not known.
    pub usd: Option<f64>,
    /// USD that the run may cost.
    pub max_cost: Option<f64>,
    /// Tokens that it may take.
    pub max_total_tokens: Option<u64>,
    /// How often a call was made again because the server wanted fewer at once.
    pub rate_limits: u32,
}

/// How many shards stand how.
#[derive(Clone, Copy, Debug, Default, Serialize, TS)]
#[ts(export)]
pub struct RemoteStates {
    /// Those that are to begin.
    pub waiting: u32,
    /// Those that are made.
    pub running: u32,
    /// Those that are made whole.
    pub done: u32,
    /// Those that ended otherwise.
    pub failed: u32,
    /// Those that somebody ended.
    pub cancelled: u32,
    /// Those of which nobody can say, since the engine does not answer.
    pub unknown: u32,
}

/// A shard of a run at an engine.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct RemoteShard {
    /// 0-based.
    pub index: u32,
    /// How it stands.
    pub state: State,
    /// Where it is made, or was made last.
    pub node: Option<String>,
    /// Why it waits or has failed.
    pub reason: Option<Sentence>,
    /// How often the engine began it again.
    pub restarts: u32,
    /// Its attempts.
    pub planned: u32,
    /// Those that have ended.
    pub done: u32,
}
