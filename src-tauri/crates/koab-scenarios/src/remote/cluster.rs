//! User's settings of the cluster engine that runs scenarios.

use koab_cluster::EngineKind;
use serde::{Deserialize, Serialize};

/// Settings of a submission to a cluster engine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ScenarioCluster {
    /// Cluster engine.
    pub engine: EngineKind,
    /// Number of shards. The default is one per trial, at most 1,000.
    pub shards: Option<u32>,
    /// Maximum number of workers that run at once. The default is 8.
    pub at_once: Option<u32>,
    /// Extra arguments for the engine.
    pub engine_args: Option<String>,
    /// Archive with the container image, on a disk that every node can read.
    pub image_archive: Option<String>,
    /// Whether to submit even when the engine of an earlier submission does not answer.
    #[serde(skip)]
    pub without_engine: bool,
}
