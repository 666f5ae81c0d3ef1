//! How the workers of a run stand.

use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};

/// How the worker of a shard stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "WorkerStanding"))]
pub enum State {
    /// The engine has not begun it, or begins it again.
    Waiting,
    /// It works.
    Running,
    /// It has made its shard.
    Done,
    /// It ended otherwise, and the engine does not begin it again.
    Failed,
    /// Somebody ended it.
    Cancelled,
    /// The engine does not answer, and the files do not say that it is done.
    Unknown,
}

impl State {
    /// Whether a worker waits or works: whoever did its work elsewhere would do it twice.
    pub fn is_at_work(self) -> bool {
        matches!(self, Self::Waiting | Self::Running)
    }
}

/// The worker of a shard, as its engine and its marks say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerState {
    /// 0-based.
    pub shard: u32,
    /// How it stands.
    pub state: State,
    /// Where it works or worked last.
    pub node: Option<String>,
    /// Why it waits or has failed, in the engine's words or in the last ones of its log.
    pub reason: Option<Sentence>,
    /// How often it was begun again.
    pub restarts: u32,
}
