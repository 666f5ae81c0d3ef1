//! Arguments of `koab cache`.

use super::name::RunName;
use super::snapshot;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum CacheCommand {
    /// Show the number of cached responses of each tool
    Stats,
    /// The cached response for a call
    Lookup {
        tool: String,
        /// Arguments as a JSON object
        args: String,
    },
    /// Measure the time of look-ups: cached calls from all over the active pack, each once
    Time {
        /// Maximum number of calls
        #[arg(long, value_name = "N", default_value_t = 20_000)]
        calls: usize,
    },
    /// Answers of the live APIs that runs in write mode have saved with the active pack
    Overlay {
        /// Delete all of these answers
        #[arg(long)]
        clear: bool,
    },
    /// Write the pack's cache in the published layout below a new folder; other states with
    /// `koab cache snapshot export`
    #[command(after_help = "Example:\n  koab cache export ./cache")]
    Export {
        dir: PathBuf,
        /// Pack (default: the active one)
        #[arg(long, value_name = "NAME")]
        pack: Option<String>,
    },
    /// Named states of the cache with the saved responses; they never change
    #[command(
        after_help = "Example:\n  koab cache snapshot create before-fix && koab run --model openai/gpt-4o --cache-snapshot before-fix"
    )]
    Snapshot {
        #[command(subcommand)]
        command: snapshot::SnapshotCommand,
    },
    /// Compare the results of a run's tool calls with another state of the cached responses, or a
    /// recorded pack with a newer server
    #[command(
        after_help = "Examples:\n  koab cache drift azure_gpt-4o/20251219_113310 --against now\n  koab cache drift files -- npx @modelcontextprotocol/server-filesystem@latest /data"
    )]
    Drift(Box<snapshot::DriftArgs>),
    /// Show the calls of a run without a cached response, each with the nearest cached call
    #[command(after_help = "Example:\n  koab cache misses azure_gpt-4o/20261121_180000")]
    Misses(RunName),
    /// Ask the live APIs for the calls that a run missed, and save their answers with the pack
    /// (needs their keys)
    #[command(
        after_help = "Example:\n  koab cache fill azure_gpt-4o/20261121_180000 --dry-run\n\nThen make the tasks again:\n  koab run --misses-of azure_gpt-4o/20261121_180000"
    )]
    Fill(CacheFillArgs),
}

#[derive(Debug, Args)]
pub(crate) struct CacheFillArgs {
    #[command(flatten)]
    pub(crate) of: RunName,
    /// Only calls that these tasks missed, such as L1-001,L5-003
    #[arg(long, value_delimiter = ',', value_name = "IDS")]
    pub(crate) tasks: Vec<String>,
    /// Show the calls and their services, and make no API calls
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Leave out services whose keys are missing
    #[arg(long)]
    pub(crate) without_keys: bool,
}
