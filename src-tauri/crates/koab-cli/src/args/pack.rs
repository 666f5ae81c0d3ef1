//! Arguments of `koab pack`.

use super::recorder::{PackRecordArgs, PackReplayArgs};
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum PackCommand {
    /// All packs; the active one is marked
    #[command(alias = "ls")]
    List,
    /// Show one pack: levels, tools, cached responses, source, licence
    Show { name: Option<String> },
    /// Make a pack the active one
    Use { name: String },
    /// Move a pack with its cached responses to the trash; runs and reports stay
    #[command(aliases = ["rm", "remove"], after_help = "Example:\n  koab pack delete mine --yes")]
    Delete {
        /// The pack, by its name as `koab pack list` shows it
        name: String,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Import a folder or archive: a pack, the published data, or a checkout of the published
    /// repository
    Import {
        path: PathBuf,
        /// Make it the active pack
        #[arg(long)]
        r#use: bool,
        /// Show every problem of the pack's data instead of one line for each kind (`--json` has
        /// all)
        #[arg(long)]
        problems: bool,
    },
    /// Fetch a pack, tasks or the published data of a benchmark: a dataset of a Hugging Face hub,
    /// or the archive of a repository
    #[command(
        after_help = "Examples:\n  koab pack pull huggingface-KREW/Ko-AgentBench\n  koab pack pull --archive https://github.com/Hugging-Face-KREW/Ko-AgentBench@main --use"
    )]
    Pull(PackPullArgs),
    /// Show fetched published tasks of a benchmark, and compare them with an installed pack; makes
    /// no requests
    Published {
        /// Repository, also as REPO@COMMIT (default: list all of them)
        #[arg(value_name = "REPO")]
        repo: Option<String>,
        /// Pack to compare it with (default: the installed one that has the most of its tasks)
        #[arg(long, value_name = "NAME", requires = "repo")]
        pack: Option<String>,
        /// Remove the tasks from the list; their files stay in the cache that Hugging Face's tools
        /// share
        #[arg(long, requires = "repo", conflicts_with = "pack")]
        forget: bool,
    },
    /// Compare a pack with the hashes of its manifest
    Verify { name: Option<String> },
    /// Write an installed pack as an archive that `pack import` reads
    #[command(after_help = "Examples:\n  koab pack export mine\n  koab pack export mine@1 -o mine-1.zip")]
    Export {
        /// Pack, also as NAME@VERSION for an earlier version of an own pack (default: the active
        /// one)
        name: Option<String>,
        /// File to write (default: NAME-VERSION.zip in this folder)
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Replace the file if there is one
        #[arg(long)]
        force: bool,
    },
    /// Check a pack for problems, and for calls of its golden paths without a cached response;
    /// nothing is imported
    #[command(after_help = "Examples:\n  koab pack lint mine\n  koab pack lint ./my-pack")]
    Lint {
        /// Installed pack, folder or archive (default: the active pack)
        #[arg(value_name = "NAME|PATH")]
        pack: Option<String>,
    },
    /// Record a server of tools (MCP) as a pack: its tools, and its answers letter for letter
    #[command(
        after_help = "Examples:\n  koab pack record files --calls calls.jsonl -- npx @modelcontextprotocol/server-filesystem /data\n  koab pack record files -- npx @modelcontextprotocol/server-filesystem /data   (in the place of the server in a client's settings)"
    )]
    Record(Box<PackRecordArgs>),
    /// Answer as a recorded server did, without the server
    #[command(
        after_help = "Examples:\n  koab pack replay files\n  koab pack replay files --listen 127.0.0.1:8790"
    )]
    Replay(PackReplayArgs),
    /// List packs that are being written in the window, and the versions saved from them
    Drafts,
    /// Save a draft as the next version of its pack
    Save {
        /// Name of the draft
        name: String,
    },
    /// Begin a draft from an installed pack, or with one example task and tool
    Draft {
        /// Name of the new pack
        name: String,
        /// Pack to copy (default: an example)
        #[arg(long, value_name = "PACK")]
        from: Option<String>,
        /// Make a task of each recorded session of a server, with its calls as the golden path;
        /// FILE has the instructions, one line each
        #[arg(long, value_name = "FILE", requires = "from", num_args = 0..=1)]
        tasks_from: Option<Option<PathBuf>>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct PackPullArgs {
    /// Dataset as ORG/NAME or ORG/NAME@REVISION; with --archive an address
    #[arg(value_name = "REPO[@REV]")]
    pub(crate) from: String,
    /// REPO is the page of a repository (https://github.com/ORG/NAME[@REV]) or the address of an
    /// archive
    #[arg(long)]
    pub(crate) archive: bool,
    /// Installed pack to compare published tasks with, or whose tools are used for tasks without
    /// tools of their own
    #[arg(long, value_name = "NAME")]
    pub(crate) pack: Option<String>,
    /// Make the fetched pack the active one
    #[arg(long)]
    pub(crate) r#use: bool,
    /// Show every problem of the pack's data instead of one line for each kind (`--json` has all)
    #[arg(long)]
    pub(crate) problems: bool,
}
