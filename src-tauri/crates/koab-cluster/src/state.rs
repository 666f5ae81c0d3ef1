//! States of the workers of a run.

use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};

/// State of the worker of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "WorkerStanding"))]
pub enum State {
    /// The engine has not started the worker, or is going to restart it.
    Waiting,
    /// The worker is running.
    Running,
    /// The worker has completed its shard.
    Done,
    /// The worker ended without completing its shard, and the engine will not restart it.
    Failed,
    /// A user cancelled the worker.
    Cancelled,
    /// The engine does not answer, and the files do not show that the shard is complete.
    Unknown,
}

impl State {
    /// Whether the worker is waiting or running. If so, making its shard in another place would do
    /// the work twice.
    pub fn is_at_work(self) -> bool {
        matches!(self, Self::Waiting | Self::Running)
    }
}

/// The worker of a shard, according to its engine and to its marks, which are files that it writes
/// at each start and end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerState {
    /// 0-based shard number.
    pub shard: u32,
    /// State of the worker.
    pub state: State,
    /// Name of the node where the worker runs or ran last.
    pub node: Option<String>,
    /// Reason why the worker is waiting or has failed, from the engine or from the last line of its
    /// log.
    pub reason: Option<Sentence>,
    /// Number of restarts.
    pub restarts: u32,
}
