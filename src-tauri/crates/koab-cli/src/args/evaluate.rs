//! `koab evaluate`.

use super::local::JudgeLocalArgs;
use super::words::{Word, one_of};
use clap::{Args, ValueEnum};
use koab_api::Protocol;
use koab_api::options::AggregateChoice;
use std::path::PathBuf;

const SCORERS: &[Word<&'static [Protocol]>] = &[
    ("leaderboard", "", &[Protocol::Leaderboard]),
    ("corrected", "", &[Protocol::Corrected]),
    ("both", "", &[Protocol::Leaderboard, Protocol::Corrected]),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MetricsArg {
    /// The published set
    Head,
    /// With ProvAcc and ReuseRate
    All,
}

const AGGREGATES: &[Word<AggregateChoice>] = &[
    ("mean", "", AggregateChoice::Mean),
    ("median", "", AggregateChoice::Median),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArg {
    Json,
    Csv,
    Markdown,
    All,
}

#[derive(Debug, Args)]
pub(crate) struct EvaluateArgs {
    /// The run: its id as `koab runs list` shows it, `last` for the newest, or its folder
    #[arg(value_name = "RUN", conflicts_with_all = ["date", "model", "run"])]
    pub(crate) of: Option<String>,
    /// Date of the run, YYYYMMDD or more of its folder's name
    #[arg(
        long,
        requires = "model",
        required_unless_present_any = ["run", "of"],
        help = "Date of the run, YYYYMMDD or more of its folder's name (with --model, in place of RUN)"
    )]
    pub(crate) date: Option<String>,
    /// Model id of the run
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// The run, as RUN (kept for scripts)
    #[arg(long, value_name = "DIR|ID", conflicts_with_all = ["date", "model"])]
    pub(crate) run: Option<String>,
    /// Levels, such as L1,3,l5 (default: all)
    #[arg(long, value_delimiter = ',', value_name = "LEVELS")]
    pub(crate) levels: Vec<String>,
    /// Judge models as provider/model (default: those that judged the run last, else openai/gpt-4o,
    /// anthropic/claude-sonnet-4-5 and gemini/gemini-2.5-pro if the keys of all three are there, else no judge)
    #[arg(long, num_args = 1.., value_name = "MODEL", conflicts_with_all = ["no_judge", "judge_replay"])]
    pub(crate) judge_models: Vec<String>,
    /// Address of the judges' server
    #[arg(long, value_name = "URL", requires = "judge_models")]
    pub(crate) judge_base_url: Option<String>,
    #[command(flatten)]
    pub(crate) judge_local: JudgeLocalArgs,
    /// Ask no judge: judge metrics stay unscored
    #[arg(long, conflicts_with = "judge_replay")]
    pub(crate) no_judge: bool,
    /// Take the judges' answers from a file
    #[arg(long, value_name = "FILE")]
    pub(crate) judge_replay: Option<PathBuf>,
    /// Votes of the success judge
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=99))]
    pub(crate) judge_votes: u32,
    /// How several judges' scores become one
    #[arg(long, value_parser = one_of(AGGREGATES), default_value = "mean")]
    pub(crate) aggregate: AggregateChoice,
    /// Which scorer
    #[arg(long, value_parser = one_of(SCORERS), default_value = "leaderboard")]
    pub(crate) scorer: &'static [Protocol],
    /// Which metrics
    #[arg(long, value_enum, default_value_t = MetricsArg::Head)]
    pub(crate) metrics: MetricsArg,
    /// Only the first N tasks of each level (0: all)
    #[arg(long, value_name = "N")]
    pub(crate) sample: Option<usize>,
    /// Only the first task of each level
    #[arg(long)]
    pub(crate) quick: bool,
    /// Report files to write
    #[arg(long, value_enum, num_args = 1.., default_values_t = [FormatArg::All])]
    pub(crate) format: Vec<FormatArg>,
    /// Folder for the report's folder (default: the workspace's reports)
    #[arg(long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Folder with the logs (default: the workspace's)
    #[arg(long, value_name = "DIR")]
    pub(crate) logs: Option<PathBuf>,
    /// Ask judges about the first attempt at each task only, however many the run made
    #[arg(long)]
    pub(crate) first_repetition: bool,
    #[command(flatten)]
    pub(crate) caps: JudgeCaps,
    /// Show what the judges would be asked and what it would take, and ask nobody
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Evaluation date to print in the reports (default: now)
    #[arg(long, value_name = "ISO", hide = true)]
    pub(crate) evaluation_date: Option<String>,
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct JudgeCaps {
    /// Stop before the judges of this scoring cost more; what they said is kept
    #[arg(long, value_name = "USD", conflicts_with_all = ["no_judge", "judge_replay"])]
    pub(crate) max_cost: Option<f64>,
    /// Stop before the judges of this scoring take more tokens
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["no_judge", "judge_replay"])]
    pub(crate) max_total_tokens: Option<u64>,
    /// Stop before everything in the workspace costs more today
    #[arg(long, value_name = "USD", conflicts_with_all = ["no_judge", "judge_replay"])]
    pub(crate) max_cost_per_day: Option<f64>,
    /// Stop before everything in the workspace takes more tokens today
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["no_judge", "judge_replay"])]
    pub(crate) max_total_tokens_per_day: Option<u64>,
}
