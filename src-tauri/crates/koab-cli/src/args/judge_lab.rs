//! Arguments of the judge lab's commands.

use super::name::RunNames;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The runs that are looked at.
#[derive(Debug, Args)]
pub(crate) struct LabRuns {
    #[command(flatten)]
    pub(crate) of: RunNames,
    /// Take the corrected scorer's questions, which differ from the leaderboard's
    #[arg(long)]
    pub(crate) corrected: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LabArgs {
    #[command(flatten)]
    pub(crate) of: LabRuns,
    /// Judges to leave out of the combined scores
    #[arg(long, num_args = 1.., value_name = "MODEL")]
    pub(crate) without: Vec<String>,
    /// Judges to include in the combined scores, although they answered few questions
    #[arg(long, num_args = 1.., value_name = "MODEL")]
    pub(crate) with: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct AgainArgs {
    #[command(flatten)]
    pub(crate) of: LabRuns,
    /// Judge models as provider/model; each answers all questions
    #[arg(long, alias = "judge", num_args = 1.., required = true, value_name = "MODEL")]
    pub(crate) judge_models: Vec<String>,
    /// Address of the judges' server
    #[arg(long, value_name = "URL")]
    pub(crate) judge_base_url: Option<String>,
    /// Stop before the judges cost more; their answers are kept
    #[arg(long, value_name = "USD")]
    pub(crate) max_cost: Option<f64>,
    /// Stop before the judges take more tokens
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_total_tokens: Option<u64>,
    /// Show the number of questions with their estimated tokens and cost, and make no API calls
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Format of a queue's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum QueueFormat {
    Csv,
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct QueueArgs {
    #[command(flatten)]
    pub(crate) of: LabRuns,
    /// Maximum number of questions (default: 20, or 60 at random)
    #[arg(short = 'k', long = "questions", value_parser = clap::value_parser!(u32).range(1..=500))]
    pub(crate) most: Option<u32>,
    /// Draw questions of one metric at random instead, for `koab judge estimate`
    #[arg(long)]
    pub(crate) random: bool,
    /// Metric of the drawn questions: SR, ArgAcc, EffScore, ContextRetention or RefRecall
    #[arg(long, value_name = "METRIC", default_value = "SR", requires = "random")]
    pub(crate) metric: String,
    /// Seed of the draw, or of the order among equals: the same seed, runs and verdicts give the
    /// same queue
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Name of the reviewer
    #[arg(long, value_name = "NAME")]
    pub(crate) by: String,
    /// Format of the file (default: by its name, else csv)
    #[arg(long, value_enum)]
    pub(crate) format: Option<QueueFormat>,
    /// File to write (default: stdout)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct EstimateArgs {
    /// Id of a queue that was drawn with --random and revealed
    pub(crate) queue: String,
}

#[derive(Debug, Args)]
pub(crate) struct RevealArgs {
    /// Id of the queue
    pub(crate) queue: String,
    /// Save the answers as overrides, as `koab judge override` does
    #[arg(long, requires = "by")]
    pub(crate) apply: bool,
    /// Name of the person who applies the answers
    #[arg(long, value_name = "NAME")]
    pub(crate) by: Option<String>,
}
