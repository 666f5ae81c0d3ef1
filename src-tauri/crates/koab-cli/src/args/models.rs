//! Arguments of `koab models`.

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsCommand {
    /// Models on this disk, providers and baselines
    #[command(alias = "ls")]
    List,
    /// Fetch a model from Hugging Face (HF_ENDPOINT: another hub); an interrupted download is
    /// resumed
    #[command(
        after_help = "Examples:\n  koab models pull Qwen/Qwen2.5-7B-Instruct\n  koab models pull Qwen/Qwen2.5-7B-Instruct-GGUF --quantization 4bit"
    )]
    Pull(PullArgs),
    /// Use a GGUF file or a Hugging Face folder in its place; nothing is copied
    Add { path: PathBuf },
    /// Delete a model from this disk; files of an added path stay
    #[command(aliases = ["rm", "remove"])]
    Delete(DeleteArgs),
    /// Read a fetched model's files again and compare them with their hashes
    Verify { name: String },
    /// Load a model of this disk and test it: memory, speed, the prompt with tools, repeatability
    Doctor(DoctorArgs),
    /// List model servers that run on this machine (vLLM, Ollama, LM Studio, llama-server), with
    /// their models
    Servers {
        /// Another address on this machine to look at, such as http://localhost:9000/v1
        #[arg(long, value_name = "URL")]
        at: Vec<String>,
    },
    /// Named connections to providers and servers; `name/model` is then a model everywhere
    Connections,
    /// Check connections without a call of a model: address, key, protocol, names of models
    #[command(after_help = "Examples:\n  koab models check\n  koab models check lab gpt")]
    Check {
        /// Connections to check (default: all)
        #[arg(value_name = "NAME")]
        names: Vec<String>,
    },
    /// Name a provider or a server: its models are then `name/model`, without an address
    #[command(
        after_help = "Examples:\n  koab models connect lab --base-url http://localhost:8000/v1\n  koab models connect gpt --provider openai --model gpt-4o\n\nA key for one server alone:\n  koab keys set OPENAI_COMPAT_API_KEY@http://gpu1:8000/v1"
    )]
    Connect(ConnectArgs),
    /// Remove a connection; runs and reports made with it stay as they are
    Disconnect { name: String },
    /// Ask a model for one tool call, to test whether it can be reached and calls tools; takes a
    /// few hundred tokens
    Probe {
        /// `provider/model` or `connection/model`
        model: String,
        /// Address of the model's server
        #[arg(long, value_name = "URL")]
        base_url: Option<String>,
    },
    /// Prices of models, in USD per million tokens
    Prices {
        /// Write the table into the workspace, to be edited there
        #[arg(long)]
        edit: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// The model, as `koab models list` names it, or a path
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) local: super::local_model::LocalArgs,
    /// Conversations at once, as `--concurrency` of a run
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) parallel: Option<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct ConnectArgs {
    /// Name of the connection, before the slash in its models' ids; an existing one is replaced
    pub(crate) name: String,
    /// Provider, as `koab models list` names it
    #[arg(long, default_value = "openai_compat")]
    pub(crate) provider: String,
    /// Address of the server, if it is not the provider's own
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// Models to offer (default: those that the server lists)
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct PullArgs {
    /// The repository, such as Qwen/Qwen2.5-7B-Instruct, with @REV for a branch, tag or commit
    #[arg(value_name = "REPO[@REV]")]
    pub(crate) repo: String,
    /// Fetch the model that this file belongs to, with all its parts
    #[arg(long, value_name = "NAME")]
    pub(crate) file: Option<String>,
    /// Fetch the GGUF model with this quantization: 4bit, 8bit, or as in the file's name, such as
    /// Q5_K_M
    #[arg(long, value_name = "KIND", conflicts_with = "file")]
    pub(crate) quantization: Option<String>,
    /// Fetch exactly the files that match a pattern with * and ?
    #[arg(long, value_name = "GLOB", conflicts_with_all = ["file", "quantization"])]
    pub(crate) include: Vec<String>,
    /// Show the files of the repository and their sizes, and fetch nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DeletePart {
    /// The whole model
    #[default]
    All,
    /// The fetched files; conversions stay
    Source,
    /// The conversions
    Conversions,
}

#[derive(Debug, Args)]
pub(crate) struct DeleteArgs {
    /// The model, as `koab models list` names it; org/name@REV for one revision
    pub(crate) name: String,
    /// Part of the model to delete
    #[arg(long, value_enum, default_value_t)]
    pub(crate) only: DeletePart,
    /// Delete only the conversion with this precision
    #[arg(long, value_name = "PRECISION")]
    pub(crate) precision: Option<String>,
    /// Do not ask
    #[arg(long)]
    pub(crate) yes: bool,
}
