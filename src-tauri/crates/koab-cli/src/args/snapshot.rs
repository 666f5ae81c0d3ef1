//! Arguments of `koab cache snapshot` and `koab cache drift`.

use super::recorder::ServerArgs;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum SnapshotCommand {
    /// Save the current cache and the saved responses under a name
    Create {
        name: String,
        /// Pack (default: the active one)
        #[arg(long, value_name = "NAME")]
        pack: Option<String>,
        /// Note of the snapshot
        #[arg(long, value_name = "TEXT", default_value = "")]
        note: String,
    },
    /// All snapshots, the oldest first
    #[command(alias = "ls")]
    List,
    /// Show one snapshot: its sources, its hash, and the number of calls that it answers for each
    /// tool
    Show {
        name: String,
        /// Compute the hash again from the snapshot's content
        #[arg(long)]
        verify: bool,
    },
    /// Compare the answers of two states; `pack` is the pack's cache, `now` the cache with the
    /// saved responses
    #[command(after_help = "Example:\n  koab cache snapshot diff pack now")]
    Diff {
        a: String,
        b: String,
        /// Pack that `pack` and `now` mean (default: the active one)
        #[arg(long, value_name = "NAME")]
        pack: Option<String>,
        /// List the calls of this tool only
        #[arg(long, value_name = "TOOL")]
        tool: Option<String>,
        /// Maximum number of listed calls (default: 20, with --json all)
        #[arg(long, value_name = "N")]
        limit: Option<usize>,
    },
    /// Delete a snapshot; runs that read it keep its name and hash
    #[command(aliases = ["rm", "remove"])]
    Delete {
        name: String,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Write a state in the published layout: TOOL/KE/KEY.json below a new folder
    #[command(
        after_help = "Example:\n  koab cache snapshot export before-fix ./cache\nThe published tool reads the folder that KOAB_CACHE_DIR names."
    )]
    Export {
        name: String,
        dir: PathBuf,
        /// Pack that `pack` and `now` mean (default: the active one)
        #[arg(long, value_name = "NAME")]
        pack: Option<String>,
    },
    /// Write a state as a pack that others can import, with its tasks, tools and prompts
    #[command(
        visible_alias = "share",
        after_help = "Example:\n  koab cache snapshot pack before-fix -o before-fix.tar.gz\n  koab pack import before-fix.tar.gz --use"
    )]
    Pack {
        name: String,
        /// File to write, a .tar.gz
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
        /// Pack that `pack` and `now` mean (default: the active one)
        #[arg(long, value_name = "NAME")]
        pack: Option<String>,
        /// Name of the new pack (default: the pack's and the snapshot's)
        #[arg(long = "as", value_name = "NAME")]
        name_of_pack: Option<String>,
        /// Version of the new pack (default: the pack's and the start of the hash)
        #[arg(long, value_name = "VERSION")]
        pack_version: Option<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct DriftArgs {
    /// The run: its id as `koab runs list` shows it, `last` for the newest, or its folder; with a
    /// server, a recorded pack
    #[arg(value_name = "RUN|PACK")]
    pub(crate) of: String,
    #[command(flatten)]
    pub(crate) server: ServerArgs,
    /// Save the server's answers as the pack's next version
    #[arg(long)]
    pub(crate) update: bool,
    /// State to compare it with: `pack`, `now`, or a snapshot
    #[arg(long, value_name = "SNAPSHOT", default_value = "pack")]
    pub(crate) against: String,
    /// Only this task, with every place where its results differ
    #[arg(long, value_name = "ID")]
    pub(crate) task: Option<String>,
    /// List the calls whose results are the same, too
    #[arg(long)]
    pub(crate) all: bool,
}
