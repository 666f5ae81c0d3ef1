//! The words of `koab scenario`.
#![expect(
    clippy::doc_markdown,
    reason = "these comments are the help texts, and a terminal shows no Markdown"
)]

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum ScenarioCommand {
    /// Run scenarios, each from a blank slate, and record how they end
    #[command(
        after_help = "Example:\n  koab scenario run Tasks/human_eval_TwoAgents.jsonl --repeat 3 --parallel 4"
    )]
    Run(Box<ScenarioRunArgs>),
}

#[derive(Debug, Args)]
pub(crate) struct ScenarioRunArgs {
    /// A scenario file (JSONL), a folder of them, or - for standard input
    pub(crate) path: String,
    /// Trials of each scenario
    #[arg(short, long, default_value_t = 1, value_name = "N")]
    pub(crate) repeat: u32,
    /// Trials at once
    #[arg(short, long, default_value_t = 1, value_name = "N")]
    pub(crate) parallel: u32,
    /// Environment variable or file with the model configuration (default: OAI_CONFIG_LIST, if there is one)
    #[arg(short, long, value_name = "NAME|FILE")]
    pub(crate) config: Option<String>,
    /// Only entries of the model configuration with this tag or model
    #[arg(long, value_name = "TAG")]
    pub(crate) config_tag: Option<String>,
    /// File of environment variables (default: ENV.yaml or ENV.json in the working folder, if there is one)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) env: Option<String>,
    /// Key that every scenario gets, from the environment or the keychain; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) secret: Vec<String>,
    /// Replaces requirements.txt in each trial
    #[arg(long, value_name = "FILE")]
    pub(crate) requirements: Option<String>,
    /// Image to run in (default: the product's own, built when missing)
    #[arg(short, long, value_name = "IMAGE")]
    pub(crate) docker_image: Option<String>,
    /// Run on this computer itself, without containers. Scenarios can then do whatever you can
    #[arg(long)]
    pub(crate) native: bool,
    /// Agree to --native without being asked
    #[arg(short, long)]
    pub(crate) yes: bool,
    /// Part of each file: a share such as 0.1, or a count; the same part every time
    #[arg(short, long, value_name = "SHARE|N")]
    pub(crate) subsample: Option<String>,
    /// Results folder (default: results in the workspace)
    #[arg(long, value_name = "DIR")]
    pub(crate) results: Option<PathBuf>,
    /// Further folder that templates may come from; may be repeated
    #[arg(long, value_name = "DIR")]
    pub(crate) allow: Vec<String>,
    /// Seconds that a trial may take, from its container's start to its end (default: 7200)
    #[arg(long, value_name = "S")]
    pub(crate) timeout: Option<u64>,
    /// Memory of a trial, MiB (default: 4096)
    #[arg(long, value_name = "MIB")]
    pub(crate) memory: Option<u64>,
    /// Processors of a trial (default: all)
    #[arg(long, value_name = "N")]
    pub(crate) cpus: Option<f64>,
    /// Processes of a trial (default: 1024)
    #[arg(long, value_name = "N")]
    pub(crate) pids: Option<u64>,
    /// Log of a trial that is kept, MiB (default: 64)
    #[arg(long, value_name = "MIB")]
    pub(crate) output: Option<u64>,
    /// What containers reach; a scenario may ask for less
    #[arg(long, value_enum, default_value = "bridge")]
    pub(crate) network: NetworkArg,
    /// Run trials again that ended for technical reasons
    #[arg(long)]
    pub(crate) rerun_failed: bool,
    /// Show what would be done, and do nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NetworkArg {
    /// Out to the world, and to this computer as host.docker.internal
    Bridge,
    /// Nothing
    None,
}
