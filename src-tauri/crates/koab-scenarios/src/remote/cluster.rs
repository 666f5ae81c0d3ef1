//! What a user says of the engine that scenarios are handed to.

use koab_cluster::EngineKind;
use serde::{Deserialize, Serialize};

/// How scenarios are handed to an engine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ScenarioCluster {
    /// Which engine.
    pub engine: EngineKind,
    /// Shards; one a trial when left out.
    pub shards: Option<u32>,
    /// Workers at once at most; 8 when left out.
    pub at_once: Option<u32>,
    /// Words for the engine.
    pub engine_args: Option<String>,
    /// An archive with the image, on a disk that every node sees.
    pub image_archive: Option<String>,
    /// Hand them over although the engine of those before does not answer.
    #[serde(skip)]
    pub without_engine: bool,
}
