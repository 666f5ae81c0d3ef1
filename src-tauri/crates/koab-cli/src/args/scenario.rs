//! Arguments of `koab scenario`.
#![expect(
    clippy::doc_markdown,
    reason = "these comments are the help texts, and a terminal shows no Markdown"
)]

use super::cluster::{ClusterArgs, ENGINES, shard};
use super::heading::{CLUSTER, CONTAINER, LIMITS, MODEL, OUTPUT, WHAT};
use super::words::{Word, one_of};
use clap::{Args, Subcommand, ValueEnum};
use koab_api::{EngineKind, ModelOffer, RequestedLimits, Scorer, ShardRequest};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum ScenarioCommand {
    /// Run scenarios, each from a blank slate, and record how they end
    #[command(
        after_help = "Example:\n  koab scenario run Tasks/human_eval_TwoAgents.jsonl --repeat 3 --parallel 4"
    )]
    Run(Box<ScenarioRunArgs>),
    /// Show the progress of scenarios on a cluster
    #[command(after_help = "Example:\n  koab scenario status")]
    Status {
        /// Results folder of the scenarios (default: results here in a benchmark's folder, else in
        /// the workspace)
        results: Option<String>,
    },
    /// End the workers of scenarios on a cluster; finished trials stay, and the same `koab scenario
    /// run` hands over the rest
    #[command(after_help = "Example:\n  koab scenario cancel")]
    Cancel {
        /// Results folder of the scenarios (default: results here in a benchmark's folder, else in
        /// the workspace)
        results: Option<String>,
    },
    /// The log of a shard's workers on a cluster
    #[command(after_help = "Example:\n  koab scenario logs 3")]
    Logs {
        /// The shard, as `koab scenario status` numbers it
        shard: u32,
        /// Results folder of the scenarios (default: results here in a benchmark's folder, else in
        /// the workspace)
        results: Option<String>,
    },
    /// Worker that a cluster starts
    #[command(hide = true)]
    Worker(ScenarioWorkerArgs),
    /// Show results of scenarios as a table: verdicts, pass@k, time, ends of trials
    #[command(after_help = "Example:\n  koab scenario tabulate results/human_eval_TwoAgents -k 1 -k 3")]
    Tabulate(ScenarioTabulateArgs),
    /// Move trials that were not finished to the trash of their results
    #[command(after_help = "Example:\n  koab scenario remove-missing results/human_eval_TwoAgents")]
    RemoveMissing {
        /// The results of a scenario, or a results folder
        dir: String,
        /// Move without being asked
        #[arg(short, long)]
        yes: bool,
    },
    /// Copy a benchmark into a folder: scenarios with everything they need
    #[command(after_help = "Example:\n  koab scenario clone HumanEval")]
    Clone(ScenarioCloneArgs),
    /// Find problems in console logs that verdicts do not show, by rules on their text; nothing is
    /// sent anywhere
    #[command(after_help = "Example:\n  koab scenario lint results/human_eval_TwoAgents/HumanEval_7/0")]
    Lint {
        /// A log, a trial, the results of a scenario, or a results folder
        path: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ScenarioWorkerArgs {
    /// Folder with the job of the workers
    pub(crate) folder: PathBuf,
    /// Run one part of the trials, such as 0/8
    #[arg(long, value_name = "I/N", value_parser = shard, required_unless_present = "merge")]
    pub(crate) shard: Option<ShardRequest>,
    /// Tabulate the results of all parts
    #[arg(long, conflicts_with = "shard")]
    pub(crate) merge: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ScenarioTabulateArgs {
    /// The results of a scenario, as in results/<scenario>, or a results folder: all of them
    pub(crate) dir: String,
    /// Comma-separated values, one row for each trial
    #[arg(short, long)]
    pub(crate) csv: bool,
    /// Scorer that finds the verdicts (default: markers)
    #[arg(long, value_parser = one_of(SCORERS))]
    pub(crate) scorer: Option<Scorer>,
    /// The program's own table, or the text that the original tool prints, faults included
    #[arg(long, value_enum)]
    pub(crate) format: Option<TableFormatArg>,
    /// Show only this pass@k; may be repeated (default: every k up to the repetitions)
    #[arg(short, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) k: Vec<u32>,
    /// Benchmark whose own Scripts/custom_tabulate.py reads the results (default: the working
    /// folder, if it has one)
    #[arg(long, value_name = "DIR", conflicts_with_all = ["scorer", "format", "k"])]
    pub(crate) benchmark: Option<PathBuf>,
    /// Script that reads the results
    #[arg(long, value_name = "FILE", conflicts_with_all = ["benchmark", "scorer", "format", "k"])]
    pub(crate) script: Option<PathBuf>,
    /// Do not use the benchmark's own script
    #[arg(long, conflicts_with_all = ["benchmark", "script"])]
    pub(crate) no_script: bool,
    /// Image to run the script in (default: the product's own, built when missing)
    #[arg(short, long, value_name = "IMAGE")]
    pub(crate) docker_image: Option<String>,
    /// Run the script on this computer itself, with all your permissions
    #[arg(long, conflicts_with = "docker_image")]
    pub(crate) native: bool,
    /// Agree to --native without being asked
    #[arg(short, long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ScenarioCloneArgs {
    /// Name of a benchmark in the index, or its address
    #[arg(required_unless_present = "list")]
    pub(crate) name: Option<String>,
    /// List the benchmarks of the index
    #[arg(short, long)]
    pub(crate) list: bool,
    /// Address or folder of an index (default: the one shipped with the program)
    #[arg(long, value_name = "URL|DIR")]
    pub(crate) index: Option<String>,
    /// Target folder (default: a folder of the benchmark's name here)
    #[arg(long, value_name = "DIR")]
    pub(crate) to: Option<PathBuf>,
    /// Replace an existing folder, which goes to the trash in the same place
    #[arg(long)]
    pub(crate) force: bool,
    /// Further host that the manifest may take files from; may be repeated
    #[arg(long, value_name = "HOST")]
    pub(crate) host: Vec<String>,
    /// Run the script that prepares the benchmark, in a container that reaches the network
    #[arg(long)]
    pub(crate) init: bool,
    /// Image for --init (default: the product's own, built when missing)
    #[arg(short, long, value_name = "IMAGE", requires = "init")]
    pub(crate) docker_image: Option<String>,
}

const SCORERS: &[Word<Scorer>] = &[
    ("markers", "The scenario prints ALL TESTS PASSED !#!#", Scorer::Markers),
    ("gaia", "FINAL ANSWER: against expected_answer.txt", Scorer::Gaia),
    ("math", "The checking agent in checker_messages.json", Scorer::Math),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormatArg {
    /// The program's own table
    Own,
    /// Output of autogenbench 0.0.3
    #[value(alias = "autogenbench")]
    Original,
    /// Output of its successor agbench
    Agbench,
}

#[derive(Debug, Args)]
pub(crate) struct ScenarioRunArgs {
    /// A scenario file (JSONL), a folder of them, or - for standard input
    pub(crate) path: String,
    /// Trials of each scenario
    #[arg(help_heading = WHAT, short, long, default_value_t = 1, value_name = "N")]
    pub(crate) repeat: u32,
    /// Part of each file: a share such as 0.1, or a count; the same part every time
    #[arg(help_heading = WHAT, short, long, value_name = "SHARE|N")]
    pub(crate) subsample: Option<String>,
    /// File that replaces requirements.txt in each trial
    #[arg(help_heading = WHAT, long, value_name = "FILE")]
    pub(crate) requirements: Option<String>,
    /// File of environment variables (default: ENV.yaml or ENV.json in the working folder, if there
    /// is one)
    #[arg(help_heading = WHAT, short, long, value_name = "FILE")]
    pub(crate) env: Option<String>,
    /// Key that every scenario gets, from the environment or the keychain; may be repeated
    #[arg(help_heading = WHAT, long, value_name = "NAME")]
    pub(crate) secret: Vec<String>,
    /// Further folder that templates may come from; may be repeated
    #[arg(help_heading = WHAT, long, value_name = "DIR")]
    pub(crate) allow: Vec<String>,
    /// Run trials again that ended for technical reasons
    #[arg(help_heading = WHAT, long)]
    pub(crate) rerun_failed: bool,
    /// Model that scenarios may call without a key, such as openai/gpt-4o: OAI_CONFIG_LIST,
    /// OPENAI_BASE_URL and OPENAI_API_KEY lead to this program, which asks it, records every call
    /// and keeps the budget
    #[arg(help_heading = MODEL, short, long, value_name = "PROVIDER/ID", conflicts_with_all = ["config", "config_tag"])]
    pub(crate) model: Option<String>,
    /// Address of that model's server instead of the provider's own
    #[arg(help_heading = MODEL, long, value_name = "URL", requires = "model")]
    pub(crate) base_url: Option<String>,
    /// Answer model calls from the records in this results folder, and make no API calls
    #[arg(help_heading = MODEL, long, value_name = "DIR", requires = "model")]
    pub(crate) replay: Option<String>,
    /// Answer a call that is not in those records with the next answer to the same tool calls,
    /// since agents write the time and their folder into prompts. The record marks such a call as
    /// loosely matched
    #[arg(help_heading = MODEL, long, requires = "replay")]
    pub(crate) loose: bool,
    /// Environment variable or file with the model configuration (default: OAI_CONFIG_LIST, if
    /// there is one); a YAML file is taken as --config-file
    #[arg(help_heading = MODEL, short, long, value_name = "NAME|FILE")]
    pub(crate) config: Option<String>,
    /// Only entries of the model configuration with this tag or model
    #[arg(help_heading = MODEL, long, value_name = "TAG")]
    pub(crate) config_tag: Option<String>,
    /// File that each trial gets as config.yaml (default: config.yaml in the working folder, if
    /// there is one)
    #[arg(help_heading = MODEL, long, value_name = "FILE")]
    pub(crate) config_file: Option<String>,
    /// Image to run in (default: the product's own, built when missing)
    #[arg(help_heading = CONTAINER, short, long, value_name = "IMAGE")]
    pub(crate) docker_image: Option<String>,
    /// Run on this computer itself, without containers. Scenarios then have all your permissions
    #[arg(help_heading = CONTAINER, long)]
    pub(crate) native: bool,
    /// Agree to --native without being asked
    #[arg(help_heading = CONTAINER, short, long)]
    pub(crate) yes: bool,
    /// Network of the containers; a scenario may restrict it
    #[arg(help_heading = CONTAINER, long, value_enum, default_value = "bridge")]
    pub(crate) network: NetworkArg,
    /// Memory of a trial, MiB (default: 4096)
    #[arg(help_heading = CONTAINER, long, value_name = "MIB")]
    pub(crate) memory: Option<u64>,
    /// Processors of a trial (default: all)
    #[arg(help_heading = CONTAINER, long, value_name = "N")]
    pub(crate) cpus: Option<f64>,
    /// Processes of a trial (default: 1024)
    #[arg(help_heading = CONTAINER, long, value_name = "N")]
    pub(crate) pids: Option<u64>,
    /// Trials at once
    #[arg(help_heading = LIMITS, short, long, default_value_t = 1, value_name = "N")]
    pub(crate) parallel: u32,
    /// Time limit of a trial in seconds, from its container's start to its end (default: 7200)
    #[arg(help_heading = LIMITS, long, value_name = "S")]
    pub(crate) timeout: Option<u64>,
    /// Stop calling the model at this cost
    #[arg(help_heading = LIMITS, long, value_name = "USD", requires = "model")]
    pub(crate) max_cost: Option<f64>,
    /// Stop calling the model at this number of tokens
    #[arg(help_heading = LIMITS, long, value_name = "N", requires = "model")]
    pub(crate) max_total_tokens: Option<u64>,
    /// Have workers on a cluster run the unfinished trials, each in a rootless Podman of its own;
    /// files, image archive and results must be on a disk that every node sees. `koab scenario
    /// status` shows the progress
    #[arg(help_heading = CLUSTER, long, value_name = "ENGINE", value_parser = one_of(ENGINES), conflicts_with_all = ["native", "parallel"])]
    pub(crate) on: Option<EngineKind>,
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
    /// Hand the trials over even if the cluster of earlier workers does not answer; trials may be
    /// run twice
    #[arg(help_heading = CLUSTER, long, requires = "on")]
    pub(crate) without_engine: bool,
    /// Archive with the image that --docker-image names (podman save, docker save); without it
    /// workers pull the image
    #[arg(help_heading = CLUSTER, long, value_name = "FILE", requires_all = ["on", "docker_image"])]
    pub(crate) image_archive: Option<String>,
    /// Results folder (default: results here in a benchmark's folder, else in the workspace)
    #[arg(help_heading = OUTPUT, long, value_name = "DIR")]
    pub(crate) results: Option<PathBuf>,
    /// Size limit of a trial's log, MiB (default: 64)
    #[arg(help_heading = OUTPUT, long, value_name = "MIB")]
    pub(crate) output: Option<u64>,
    /// Show the trials and their settings, and run nothing
    #[arg(help_heading = OUTPUT, long)]
    pub(crate) dry_run: bool,
}

impl ScenarioRunArgs {
    /// Limits of a trial.
    pub(crate) fn limits(&self) -> RequestedLimits {
        RequestedLimits {
            timeout_s: self.timeout,
            memory_mib: self.memory,
            cpus: self.cpus,
            pids: self.pids,
            output_mib: self.output,
            network: self.network == NetworkArg::Bridge,
        }
    }

    /// Model that scenarios may call.
    pub(crate) fn offer(&self) -> ModelOffer {
        ModelOffer {
            model: self.model.clone(),
            base_url: self.base_url.clone(),
            max_cost: self.max_cost,
            max_total_tokens: self.max_total_tokens,
            replay: self.replay.clone(),
            loose: self.loose,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NetworkArg {
    /// The internet, and this computer as host.docker.internal
    Bridge,
    /// No network
    None,
}
