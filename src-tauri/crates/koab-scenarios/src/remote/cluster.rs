//! User's settings of the cluster engine that runs scenarios.

use koab_cluster::RemoteRequest;
use serde::{Deserialize, Serialize};

/// Settings of a submission to a cluster engine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ScenarioCluster {
    /// Options for the engine. The default number of shards is one per trial, at most 1,000.
    #[serde(flatten)]
    pub remote: RemoteRequest,
    /// Archive with the container image, on a disk that every node can read.
    pub image_archive: Option<String>,
    /// Whether to submit even when the engine of an earlier submission does not answer.
    #[serde(skip)]
    pub without_engine: bool,
}
