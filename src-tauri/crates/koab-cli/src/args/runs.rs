//! Arguments of `koab runs`.

use super::change::{RetryArgs, SetArgs};
use super::fork;
use super::name::{RunName, RunNameOrAll};
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    /// All runs, newest first
    #[command(alias = "ls")]
    List,
    /// Show one run: levels, attempts, cache use
    Show {
        #[command(flatten)]
        of: RunName,
        /// Show every call without a cached response instead of one line for each tool (`--json`
        /// has all)
        #[arg(long)]
        problems: bool,
    },
    /// Replace the tags of a run; without tags they are removed
    #[command(
        after_help = "Example:\n  koab runs tag azure_gpt-4o/20251219_113310 baseline final --note 'before the fix'"
    )]
    Tag {
        #[command(flatten)]
        of: RunName,
        /// The tags
        tags: Vec<String>,
        /// Note of the run; without this option the run keeps its note
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
    /// Change a run while it is being made, here or by another process: its speed, limits, budget,
    /// address, judges and tasks. Attempts in flight keep their limits
    #[command(
        after_help = "Examples:\n  koab runs set last --concurrency 4 --max-cost 5\n  koab runs set last --timeout 120 --max-steps 20\n  koab runs set last --leave-out L5-003 L5-004"
    )]
    Set(Box<SetArgs>),
    /// Make attempts of a run again that failed for technical reasons, while it is being made; for
    /// a run that has ended, `koab run --resume RUN` does
    #[command(
        after_help = "Examples:\n  koab runs retry last --all-failed\n  koab runs retry last --task L3-004 --task L3-009"
    )]
    Retry(RetryArgs),
    /// Join the parts of a run that `koab run --resume RUN --shard I/N` made; makes no API calls,
    /// and can be done while workers are running
    #[command(after_help = "Example:\n  koab runs merge last")]
    Merge(RunName),
    /// End the workers of a run on a cluster, or those that ask its judges; finished work is kept,
    /// and `koab run --resume RUN --on ENGINE` (`koab score RUN --on ENGINE`) makes the rest
    #[command(after_help = "Example:\n  koab runs cancel last")]
    Cancel(RunName),
    /// Show the log of a shard's workers on a cluster
    #[command(after_help = "Example:\n  koab runs logs last 3")]
    Logs {
        #[command(flatten)]
        of: RunName,
        /// The shard, as `koab runs show` numbers it
        shard: u32,
        /// Show the log of the workers that asked the run's judges
        #[arg(long)]
        judging: bool,
    },
    /// Continue from a step of an attempt with something changed: a tool's answer, an error, a
    /// message, the model. A fork explains a run and never enters a report; with fork:ID instead of
    /// the run it continues a fork
    #[command(
        after_help = "Examples:\n  koab runs fork last L3-004 --step 2 --result '{\"items\": []}'\n  koab runs fork last L5-001 --step 1 --error timeout --dry-run\n  koab runs fork last L1-001 --step 1 --model openai/gpt-4o"
    )]
    Fork(Box<fork::ForkArgs>),
    /// List the forks of a run, or all forks
    Forks {
        #[command(flatten)]
        of: RunNameOrAll,
        /// Only forks of this task
        #[arg(long)]
        task: Option<String>,
    },
    /// Compare a fork with its original: the changes, both continuations and their scores
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
    /// Bring a fork back from the trash
    #[command(after_help = "Example:\n  koab runs fork-restore 20261122_101500_L3-004")]
    ForkRestore { id: String },
    /// Move a run and its logs to the trash, or delete them for good
    #[command(
        aliases = ["rm", "remove"],
        after_help = "Examples:\n  koab runs delete azure_gpt-4o/20251219_113310 --yes\n  koab runs restore azure_gpt-4o/20251219_113310"
    )]
    Delete {
        /// The run: its id as `koab runs list` shows it, or its folder
        #[arg(value_name = "RUN")]
        id: String,
        /// Delete it for good, instead of moving it to the trash
        #[arg(long)]
        for_good: bool,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Bring a run back from the trash
    #[command(after_help = "Example:\n  koab runs restore azure_gpt-4o/20251219_113310")]
    Restore {
        /// The run, by the id that it had
        #[arg(value_name = "RUN")]
        id: String,
    },
}
