//! User's options for a submission.

use crate::submission::EngineKind;
use serde::{Deserialize, Serialize};

/// Default number of concurrent workers.
const DEFAULT_WORKERS: u32 = 8;

/// Options for submitting work to a cluster engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RemoteRequest {
    /// The cluster engine.
    pub engine: EngineKind,
    /// Number of shards; if left out, the program chooses a number for the work.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub shards: Option<u32>,
    /// Maximum number of concurrent workers; 8 when left out.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub at_once: Option<u32>,
    /// Arguments for the engine, such as `-p gpu --time=4:00:00`. If left out, a resumed run uses
    /// its earlier arguments.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub engine_args: Option<String>,
}

impl RemoteRequest {
    /// Maximum number of concurrent workers, with its default.
    pub fn workers(&self) -> u32 {
        self.at_once.unwrap_or(DEFAULT_WORKERS)
    }
}
