//! Arguments of `koab score`.

use super::cluster::{ClusterArgs, ENGINES, shard};
use super::heading::{CLUSTER, JUDGES, LIMITS, OUTPUT, WHAT};
use super::local_model::JudgeLocalArgs;
use super::words::{Word, one_of};
use clap::{Args, ValueEnum};
use koab_api::options::AggregateChoice;
use koab_api::{EngineKind, Protocol, ShardRequest};
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
    /// The published set with ProvAcc and ReuseRate
    All,
}

const AGGREGATES: &[Word<AggregateChoice>] =
    &[("mean", "", AggregateChoice::Mean), ("median", "", AggregateChoice::Median)];

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
    #[arg(value_name = "RUN", conflicts_with_all = ["date", "model", "run", "answers"])]
    pub(crate) of: Option<String>,
    /// Date of the run, YYYYMMDD or more of its folder's name
    #[arg(
        help_heading = WHAT,
        long,
        requires = "model",
        required_unless_present_any = ["run", "of", "answers"],
        help = "Date of the run, YYYYMMDD or more of its folder's name (with --model, in place of RUN)"
    )]
    pub(crate) date: Option<String>,
    /// Model id of the run
    #[arg(help_heading = WHAT, long)]
    pub(crate) model: Option<String>,
    /// The run, as RUN (kept for scripts)
    #[arg(help_heading = WHAT, long, value_name = "DIR|ID", conflicts_with_all = ["date", "model"])]
    pub(crate) run: Option<String>,
    /// Folder with the logs (default: the workspace's)
    #[arg(help_heading = WHAT, long, value_name = "DIR")]
    pub(crate) logs: Option<PathBuf>,
    /// Replies made elsewhere to the items of another benchmark, one line of JSON each, instead of
    /// a run; or a folder of scenario results that contain them
    #[arg(help_heading = WHAT, long, value_name = "FILE", requires = "pack", conflicts_with_all = ["date", "model", "run", "logs", "levels",
        "sample", "quick", "first_repetition", "judge_models", "judge_replay", "shard", "merge", "on", "output", "dry_run"])]
    pub(crate) answers: Option<PathBuf>,
    /// With --answers: the benchmark's pack, such as bfcl
    #[arg(help_heading = WHAT, long, value_name = "NAME", requires = "answers")]
    pub(crate) pack: Option<String>,
    /// With --answers: keep the scores as a report in the library, under the model that made the
    /// replies
    #[arg(help_heading = WHAT, long, value_name = "MODEL", requires = "answers")]
    pub(crate) save: Option<String>,
    /// With --answers: replies of judges, one line of JSON for each item
    #[arg(help_heading = JUDGES, long, value_name = "FILE", requires = "answers", conflicts_with = "no_judge")]
    pub(crate) judge_replies: Option<PathBuf>,
    /// Levels, such as L1,3,l5 (default: all)
    #[arg(help_heading = WHAT, long, value_delimiter = ',', value_name = "LEVELS")]
    pub(crate) levels: Vec<String>,
    /// Only the first N tasks of each level (0: all)
    #[arg(help_heading = WHAT, long, value_name = "N")]
    pub(crate) sample: Option<usize>,
    /// Only the first task of each level
    #[arg(help_heading = WHAT, long)]
    pub(crate) quick: bool,
    /// Ask judges only about the first attempt at each task, even if the run made more
    #[arg(help_heading = WHAT, long)]
    pub(crate) first_repetition: bool,
    /// Judge models as provider/model (default: those that judged the run last, else openai/gpt-4o,
    /// anthropic/claude-sonnet-4-5 and gemini/gemini-2.5-pro if the keys of all three are there,
    /// else no judge)
    #[arg(help_heading = JUDGES, long, alias = "judge", num_args = 1.., value_name = "MODEL", conflicts_with_all = ["no_judge", "judge_replay"])]
    pub(crate) judge_models: Vec<String>,
    /// Address of the judges' server
    #[arg(help_heading = JUDGES, long, value_name = "URL", requires = "judge_models")]
    pub(crate) judge_base_url: Option<String>,
    #[command(flatten)]
    pub(crate) judge_local: JudgeLocalArgs,
    /// Ask no judge: judge metrics stay unscored
    #[arg(help_heading = JUDGES, long, conflicts_with = "judge_replay")]
    pub(crate) no_judge: bool,
    /// Take the judges' answers from a file
    #[arg(help_heading = JUDGES, long, value_name = "FILE")]
    pub(crate) judge_replay: Option<PathBuf>,
    /// Votes of the success judge
    #[arg(help_heading = JUDGES, long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=99))]
    pub(crate) judge_votes: u32,
    /// Function that combines the scores of several judges
    #[arg(help_heading = JUDGES, long, value_parser = one_of(AGGREGATES), default_value = "mean")]
    pub(crate) aggregate: AggregateChoice,
    #[command(flatten)]
    pub(crate) caps: JudgeCaps,
    /// Ask one part of the questions, such as 0/8, while others ask the other parts; `koab score
    /// RUN` joins them
    #[arg(help_heading = WHAT, long, value_name = "I/N", value_parser = shard, conflicts_with_all = ["no_judge", "judge_replay", "on", "merge", "dry_run", "output"])]
    pub(crate) shard: Option<ShardRequest>,
    /// Join the answers that workers of a cluster received, and score the run; makes no API calls
    #[arg(help_heading = WHAT, long, conflicts_with_all = ["judge_models", "no_judge", "judge_replay", "dry_run"])]
    pub(crate) merge: bool,
    /// Have workers on a cluster ask the judges all questions without an answer; a merge scores the
    /// run when all are answered. `koab runs show` shows the progress
    #[arg(help_heading = CLUSTER, long, value_name = "ENGINE", value_parser = one_of(ENGINES), conflicts_with_all = ["no_judge", "judge_replay", "merge"])]
    pub(crate) on: Option<EngineKind>,
    /// Ask the judges from here even if the cluster of the run's workers does not answer; answers
    /// may be paid twice
    #[arg(help_heading = CLUSTER, long, conflicts_with_all = ["on", "shard", "merge", "no_judge", "judge_replay"])]
    pub(crate) without_engine: bool,
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
    /// Questions in flight, all workers together (default: what suits the server)
    #[arg(help_heading = CLUSTER, long, value_name = "N", requires = "on", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) concurrency: Option<u32>,
    /// Scorer
    #[arg(help_heading = OUTPUT, long, value_parser = one_of(SCORERS), default_value = "leaderboard")]
    pub(crate) scorer: &'static [Protocol],
    /// Metrics
    #[arg(help_heading = OUTPUT, long, value_enum, default_value_t = MetricsArg::Head)]
    pub(crate) metrics: MetricsArg,
    /// Report files to write
    #[arg(help_heading = OUTPUT, long, value_enum, num_args = 1.., default_values_t = [FormatArg::All])]
    pub(crate) format: Vec<FormatArg>,
    /// Folder for the report's folder (default: the workspace's reports)
    #[arg(help_heading = OUTPUT, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Show the number of questions to the judges with their estimated tokens and cost, and make no
    /// API calls
    #[arg(help_heading = OUTPUT, long)]
    pub(crate) dry_run: bool,
    /// Evaluation date to print in the reports (default: now)
    #[arg(help_heading = OUTPUT, long, value_name = "ISO", hide = true)]
    pub(crate) evaluation_date: Option<String>,
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct JudgeCaps {
    /// Stop before the judges of this scoring cost more; their answers are kept
    #[arg(help_heading = LIMITS, long, value_name = "USD", conflicts_with_all = ["no_judge", "judge_replay"])]
    pub(crate) max_cost: Option<f64>,
    /// Stop before the judges of this scoring take more tokens
    #[arg(help_heading = LIMITS, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["no_judge", "judge_replay"])]
    pub(crate) max_total_tokens: Option<u64>,
    /// Stop before everything in the workspace costs more today
    #[arg(help_heading = LIMITS, long, value_name = "USD", conflicts_with_all = ["no_judge", "judge_replay"])]
    pub(crate) max_cost_per_day: Option<f64>,
    /// Stop before everything in the workspace takes more tokens today
    #[arg(help_heading = LIMITS, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["no_judge", "judge_replay"])]
    pub(crate) max_total_tokens_per_day: Option<u64>,
}
