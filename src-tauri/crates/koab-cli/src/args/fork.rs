//! Arguments of `koab runs fork`.
#![expect(
    clippy::doc_markdown,
    reason = "these comments are the help texts, and a terminal shows no Markdown"
)]

use super::name::RunName;
use clap::{Args, ValueEnum};

/// Role of the message that is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RoleArg {
    /// The user's last message before the step
    User,
    /// The model's text in the step, apart from its calls
    Assistant,
    /// A system message at the beginning, which agents otherwise do not get
    System,
}

#[derive(Debug, Args)]
pub(crate) struct ForkArgs {
    #[command(flatten)]
    pub(crate) of: RunName,
    /// Task id
    pub(crate) task: String,
    /// The step. If something of it is changed, the step is kept; else the model is asked for it
    /// again
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) step: u32,
    /// Repetition of the attempt
    #[arg(long, default_value_t = 1, value_name = "R")]
    pub(crate) repetition: u32,
    /// Another result of the step's call: JSON, or @FILE
    #[arg(long, value_name = "JSON|@FILE", conflicts_with = "error")]
    pub(crate) result: Option<String>,
    /// A failure of the step's call: timeout, complete_unavailable, data_not_available, or a word
    /// of your own
    #[arg(long, value_name = "KIND")]
    pub(crate) error: Option<String>,
    /// Call that --result or --error changes: its id, or its number in the step (needed if the step
    /// has several)
    #[arg(long, value_name = "ID|N")]
    pub(crate) call: Option<String>,
    /// Another text of a message, or @FILE
    #[arg(long, value_name = "TEXT|@FILE")]
    pub(crate) message: Option<String>,
    /// Role of the message that --message changes
    #[arg(long, value_enum, default_value_t = RoleArg::User, requires = "message")]
    pub(crate) role: RoleArg,
    /// Model of the fork (default: the attempt's own)
    #[arg(long, value_name = "PROVIDER/ID")]
    pub(crate) model: Option<String>,
    /// Address of the model's server
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// Sampling temperature (default: the attempt's own)
    #[arg(long)]
    pub(crate) temperature: Option<f64>,
    /// Sampling seed (default: the attempt's own)
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Name of the fork
    #[arg(long, value_name = "TEXT")]
    pub(crate) name: Option<String>,
    /// Maximum cost of the fork in USD
    #[arg(long, value_name = "USD")]
    pub(crate) max_cost: Option<f64>,
    /// Maximum number of tokens of the fork
    #[arg(long, value_name = "N")]
    pub(crate) max_total_tokens: Option<u64>,
    /// Show what the fork would do and cost, and run nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}
