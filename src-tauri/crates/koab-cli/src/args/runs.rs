//! `koab runs`.

use super::fork;
use super::name::{RunName, RunNameOrAll};
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    /// All runs, newest first
    List,
    /// One run: levels, attempts, cache use
    Show {
        #[command(flatten)]
        of: RunName,
        /// Name every call without a cached response, not a line a tool (`--json` has all)
        #[arg(long)]
        problems: bool,
    },
    /// Give a run tags, in place of those it had; none takes them away
    #[command(
        after_help = "Example:\n  koab runs tag azure_gpt-4o/20251219_113310 baseline final --note 'before the fix'"
    )]
    Tag {
        #[command(flatten)]
        of: RunName,
        /// The tags
        tags: Vec<String>,
        /// A note beside them; without it the run keeps the one it has
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
    /// Join the parts of a run that `koab run --resume RUN --shard I/N` made; makes no API calls,
    /// and may be done while workers work
    #[command(after_help = "Example:\n  koab runs merge last")]
    Merge(RunName),
    /// End the workers of a run on a cluster, or those that ask its judges; what they have made is
    /// kept, and `koab run --resume RUN --on ENGINE` (`koab evaluate RUN --on ENGINE`) makes the
    /// rest
    #[command(after_help = "Example:\n  koab runs cancel last")]
    Cancel(RunName),
    /// The log of a shard's workers on a cluster
    #[command(after_help = "Example:\n  koab runs logs last 3")]
    Logs {
        #[command(flatten)]
        of: RunName,
        /// The shard, as `koab runs show` numbers it
        shard: u32,
        /// Of the workers that asked its judges
        #[arg(long)]
        judging: bool,
    },
    /// Go on from a step of an attempt with something changed: a tool's answer, an error, a
    /// message, the model. A fork explains a run and never enters a report; fork:ID in the place of
    /// the run continues a fork
    #[command(
        after_help = "Examples:\n  koab runs fork last L3-004 --step 2 --result '{\"items\": []}'\n  koab runs fork last L5-001 --step 1 --error timeout --dry-run\n  koab runs fork last L1-001 --step 1 --model openai/gpt-4o"
    )]
    Fork(Box<fork::ForkArgs>),
    /// The forks of a run, or all
    Forks {
        #[command(flatten)]
        of: RunNameOrAll,
        /// Only those of this task
        #[arg(long)]
        task: Option<String>,
    },
    /// A fork beside its original: what was changed, both ways from there, what each would score
    #[command(after_help = "Example:\n  koab runs fork-show 20261122_101500_L3-004")]
    ForkShow { id: String },
    /// Move a fork to the trash, or bring it back from there
    #[command(after_help = "Example:\n  koab runs fork-delete 20261122_101500_L3-004 --yes")]
    ForkDelete {
        id: String,
        /// Do not ask
        #[arg(long)]
        yes: bool,
        /// Bring it back
        #[arg(long, conflicts_with = "yes")]
        undo: bool,
    },
    /// Remove a run and its logs
    Delete {
        /// The run: its id as `koab runs list` shows it, or its folder
        #[arg(value_name = "RUN")]
        id: String,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
}
