//! Arguments of commands that submit work to a cluster.
use super::heading::CLUSTER;
use super::words::Word;
use clap::Args;
use koab_api::{EngineKind, RemoteRequest, ShardRequest};

pub(super) const ENGINES: &[Word<EngineKind>] = &[
    ("slurm", "An array job of workers, by sbatch, squeue and scancel of this machine", EngineKind::Slurm),
    ("kubernetes", "An Indexed Job of workers, by kubectl of this machine", EngineKind::Kubernetes),
];

/// Options for the shards of work on a cluster.
#[derive(Clone, Debug, Args)]
pub(crate) struct ClusterArgs {
    /// Number of shards (default: eight for each worker, each of at least 20 attempts or questions)
    #[arg(help_heading = CLUSTER, long, value_name = "N", requires = "on", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) shards: Option<u32>,
    /// Maximum number of workers at once; they share the calls in flight (default: 8)
    #[arg(help_heading = CLUSTER, long, value_name = "M", requires = "on", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) at_once: Option<u32>,
    /// Options for the engine: for sbatch such as "-p gpu --time=4:00:00"; for Kubernetes
    /// "--image=NAME --claim=NAME --secret=NAME"
    #[arg(help_heading = CLUSTER, long, value_name = "WORDS", requires = "on", allow_hyphen_values = true)]
    pub(crate) engine_args: Option<String>,
}

impl ClusterArgs {
    /// Converts the arguments to a request for an engine.
    pub(crate) fn how(&self, engine: EngineKind) -> RemoteRequest {
        RemoteRequest {
            engine,
            shards: self.shards,
            at_once: self.at_once,
            engine_args: self.engine_args.clone(),
        }
    }
}

/// Parses a shard, such as `0/8`.
pub(super) fn shard(text: &str) -> Result<ShardRequest, String> {
    let numbers = text
        .split_once('/')
        .and_then(|(index, of)| Some(ShardRequest { index: index.parse().ok()?, of: of.parse().ok()? }));
    numbers
        .filter(|shard| shard.index < shard.of)
        .ok_or_else(|| "give the part, counted from 0, and the number of parts, such as 0/8".to_owned())
}
