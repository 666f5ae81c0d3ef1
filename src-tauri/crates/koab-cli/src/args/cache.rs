//! `koab cache`.

use super::name::RunName;
use super::snapshot;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum CacheCommand {
    /// Records a tool
    Stats,
    /// The cached response for a call
    Lookup {
        tool: String,
        /// Arguments as a JSON object
        args: String,
    },
    /// How long a look-up takes: recorded calls from all over the active pack, each once
    Time {
        /// So many at most
        #[arg(long, value_name = "N", default_value_t = 20_000)]
        calls: usize,
    },
    /// Answers of the live APIs that runs in write mode have saved beside the active pack
    Overlay {
        /// Forget all of them
        #[arg(long)]
        clear: bool,
    },
    /// Write the pack's own records in the published layout below a new folder; other states with
    /// `koab cache snapshot export`
    #[command(after_help = "Example:\n  koab cache export ./cache")]
    Export {
        dir: PathBuf,
        /// Pack (default: the active one)
        #[arg(long, value_name = "NAME")]
        pack: Option<String>,
    },
    /// Named states of the cached responses, the overlay included, which nothing changes any more
    #[command(
        after_help = "Example:\n  koab cache snapshot create before-fix && koab run --model openai/gpt-4o --cache-snapshot before-fix"
    )]
    Snapshot {
        #[command(subcommand)]
        command: snapshot::SnapshotCommand,
    },
    /// Which results of a run's tool calls are others in another state of the cached responses; or
    /// what a newer server says otherwise than a recorded pack
    #[command(
        after_help = "Examples:\n  koab cache drift azure_gpt-4o/20251219_113310 --against now\n  koab cache drift files -- npx @modelcontextprotocol/server-filesystem@latest /data"
    )]
    Drift(Box<snapshot::DriftArgs>),
    /// The calls of a run that had no cached response, each beside the recorded call most like it
    #[command(after_help = "Example:\n  koab cache misses azure_gpt-4o/20261121_180000")]
    Misses(RunName),
    /// Ask the live APIs for what a run missed and save their answers beside the pack (needs their
    /// keys)
    #[command(
        after_help = "Example:\n  koab cache fill azure_gpt-4o/20261121_180000 --dry-run\n\nThen make the tasks again:\n  koab run --misses-of azure_gpt-4o/20261121_180000"
    )]
    Fill(CacheFillArgs),
}

#[derive(Debug, Args)]
pub(crate) struct CacheFillArgs {
    #[command(flatten)]
    pub(crate) of: RunName,
    /// Only what these tasks missed, such as L1-001,L5-003
    #[arg(long, value_delimiter = ',', value_name = "IDS")]
    pub(crate) tasks: Vec<String>,
    /// Show what would be asked of whom, and make no API calls
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Leave services out whose keys are missing
    #[arg(long)]
    pub(crate) without_keys: bool,
}
