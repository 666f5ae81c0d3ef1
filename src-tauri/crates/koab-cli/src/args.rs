//! The words of the command line (`koab --help`). What they do is in `commands`.
#![expect(
    clippy::doc_markdown,
    reason = "these comments are the help texts, and a terminal shows no Markdown"
)]

pub(crate) mod atlas;
pub(crate) mod bundle;
pub(crate) mod fork;
mod judge_lab;
pub(crate) mod local;
pub(crate) mod models;
pub(crate) mod run;
pub(crate) mod scenario;
pub(crate) mod snapshot;
pub(crate) mod submit;

use self::atlas::AtlasArgs;
pub(crate) use self::judge_lab::{AgainArgs, LabArgs, LabRuns, QueueArgs, QueueFormat, RevealArgs};
use self::local::JudgeLocalArgs;
use self::run::RunArgs;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Under which the help of every command has the words that all of them know, behind its own.
const EVERYWHERE: &str = "Options of every command";

/// Run the Korean benchmark Ko-AgentBench (L1–L7) against any model, score the runs, keep the reports.
#[derive(Debug, Parser)]
#[command(name = "koab", version, propagate_version = true)]
pub(crate) struct Cli {
    /// Workspace folder (default: KOAB_HOME, else the system's folder for application data)
    #[arg(long, global = true, value_name = "DIR", help_heading = EVERYWHERE)]
    pub(crate) home: Option<PathBuf>,
    /// Print one JSON document instead of text
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub(crate) json: bool,
    /// No progress on stderr
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub(crate) quiet: bool,
    /// Tables with all columns in full, however narrow the terminal is
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub(crate) wide: bool,
    /// Ask no other computer for anything: what would is refused (also with KOAB_OFFLINE=1, or kept with `koab offline on`)
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub(crate) offline: bool,
    /// Language of the text (default: the system's)
    #[arg(long, global = true, value_enum, help_heading = EVERYWHERE)]
    pub(crate) lang: Option<LangArg>,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LangArg {
    Ko,
    En,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the benchmark and write its logs
    #[command(
        after_help = "Example:\n  koab run --model openai_compat/qwen3 --base-url http://localhost:8000/v1 --evaluate"
    )]
    Run(Box<RunArgs>),
    /// Score a run's logs and write the reports
    #[command(
        after_help = "Examples:\n  koab evaluate last\n  koab evaluate --date 20251219 --model azure/gpt-4o --no-judge"
    )]
    Evaluate(Box<EvaluateArgs>),
    /// What judges said about single tasks, and what people say instead
    #[command(
        after_help = "Example:\n  koab judge override azure_gpt-4o/20251219_120000 L1-003 SR --success yes --by Mina --why \"the answer is right\""
    )]
    Judge {
        #[command(subcommand)]
        command: JudgeCommand,
    },
    /// The runs of the workspace
    #[command(after_help = "Example:\n  koab runs list")]
    Runs {
        #[command(subcommand)]
        command: RunsCommand,
    },
    /// The reports of the workspace
    #[command(after_help = "Example:\n  koab report combine reports -o combined_evaluation_summary.csv")]
    Report {
        #[command(subcommand)]
        command: ReportCommand,
    },
    /// Results for the maintainers of the leaderboard and for others: rows, and bundles that prove themselves
    #[command(
        after_help = "Examples:\n  koab submit prepare last --contact mina@example.org -o my-model.koab\n  koab submit verify my-model.koab"
    )]
    Submit {
        #[command(subcommand)]
        command: submit::SubmitCommand,
    },
    /// Packs: tasks, tools, judge prompts and recorded responses
    #[command(after_help = "Example:\n  koab pack import ./Ko-AgentBench && koab pack use ko-agentbench")]
    Pack {
        #[command(subcommand)]
        command: PackCommand,
    },
    /// The recorded responses of the active pack
    #[command(after_help = "Example:\n  koab cache lookup MarketIndex_ls '{\"jisu\": \"KOSDAQ\"}'")]
    Cache {
        #[command(subcommand)]
        command: CacheCommand,
    },
    /// Models that can be run, and those on this disk
    #[command(after_help = "Example:\n  koab models pull Qwen/Qwen2.5-7B-Instruct")]
    Models {
        #[command(subcommand)]
        command: models::ModelsCommand,
    },
    /// Keys of providers and tools, in the system's keychain
    #[command(after_help = "Example:\n  koab keys set OPENAI_API_KEY")]
    Keys {
        #[command(subcommand)]
        command: KeysCommand,
    },
    /// Sets of agent scenarios, each run in a container of its own
    #[command(after_help = "Example:\n  koab scenario run Tasks/mini.jsonl --repeat 3")]
    Scenario {
        #[command(subcommand)]
        command: scenario::ScenarioCommand,
    },
    /// The window's pages in a browser on this computer
    #[command(after_help = "Example:\n  koab serve --open")]
    Serve(ServeArgs),
    /// Whether anything may leave this computer, and the switch for it, which counts in the window too
    #[command(after_help = "Example:\n  koab offline on")]
    Offline {
        #[command(subcommand)]
        command: Option<OfflineCommand>,
    },
    /// What has left this computer: when, to which host, what for
    #[command(after_help = "Examples:\n  koab egress list --since 24h\n  koab egress clear --yes")]
    Egress {
        #[command(subcommand)]
        command: EgressCommand,
    },
    /// What works here and what does not, each line with its remedy
    #[command(after_help = "Example:\n  koab doctor")]
    Doctor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum OfflineCommand {
    /// Refuse everything that would leave this computer, in all processes of the workspace, at once
    On,
    /// Let it out again
    Off,
    /// Whether it is on, and what makes it so (also without a word)
    Status,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EgressCommand {
    /// Requests to other computers, newest first; those of one minute to one host for one purpose are one line
    List {
        /// Only from then on: a date, a time, or how long ago, such as 30m, 24h or 7d
        #[arg(long, value_name = "WHEN")]
        since: Option<String>,
        /// Lines at most
        #[arg(long, value_name = "N", default_value_t = 1000)]
        limit: usize,
    },
    /// Remove the log
    Clear {
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProtocolArg {
    /// As published, its oddities included
    Leaderboard,
    /// As documented, the published faults mended
    Corrected,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportArg {
    /// One page that needs nothing but itself
    Html,
    /// evaluation_report.json
    Json,
    /// evaluation_summary.csv
    Csv,
    /// evaluation_report.md
    Md,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScorerArg {
    Leaderboard,
    Corrected,
    Both,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MetricsArg {
    /// The published set
    Head,
    /// With ProvAcc and ReuseRate
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AggregateArg {
    Mean,
    Median,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArg {
    Json,
    Csv,
    Markdown,
    All,
}

#[derive(Debug, Args)]
pub(crate) struct EvaluateArgs {
    /// The run: id or folder, or `last`, the newest
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
    /// The run, as RUN
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
    #[arg(long, value_enum, default_value_t = AggregateArg::Mean)]
    pub(crate) aggregate: AggregateArg,
    /// Which scorer
    #[arg(long, value_enum, default_value_t = ScorerArg::Leaderboard)]
    pub(crate) scorer: ScorerArg,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum YesNo {
    Yes,
    No,
}

#[derive(Debug, Subcommand)]
pub(crate) enum JudgeCommand {
    /// The default panel, each judge with whether its key is there
    Panel,
    /// The questions about a task of a run, with everything that judges and people said
    Show { run: String, task: String },
    /// Say what you find instead of the judges; their verdicts stay beside it
    Override(OverrideArgs),
    /// What people said instead of judges: all of it, or that of a run
    Overrides { run: Option<String> },
    /// Several judges on the same runs: who judged what, how far they agree, what each does to scores and ranks
    #[command(
        after_help = "Example:\n  koab judge lab azure_gpt-4o/20251219_120000 vertex_ai_gemini-2.5-pro/20251219_120000"
    )]
    Lab(LabArgs),
    /// Have other judges answer what they have not answered about runs; nothing is run or asked twice
    #[command(
        after_help = "Example:\n  koab judge again last --judge-models openai/gpt-4o gemini/gemini-2.5-pro --dry-run"
    )]
    Again(AgainArgs),
    /// Write the questions on which judges disagree most, without names, votes and scores, for a person to answer
    #[command(after_help = "Example:\n  koab judge queue last -k 20 --by Mina -o queue.csv")]
    Queue(QueueArgs),
    /// The queues of the workspace
    Queues,
    /// Bring back a queue that its reviewer has filled in
    #[command(after_help = "Example:\n  koab judge answers queue.csv")]
    Answers { file: PathBuf },
    /// Show who had said what in a queue and which judge is closest to the reviewer; ends its answering
    #[command(after_help = "Example:\n  koab judge reveal 3f2a90c1d4 --apply --by Mina")]
    Reveal(RevealArgs),
}

#[derive(Debug, Args)]
pub(crate) struct OverrideArgs {
    /// The run, by id or folder
    pub(crate) run: String,
    /// Task id, such as L1-003
    pub(crate) task: String,
    /// SR, ArgAcc, EffScore, ContextRetention or RefRecall
    pub(crate) metric: String,
    /// Grade from 1 to 5 (ArgAcc, ContextRetention, RefRecall)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=5), conflicts_with = "success")]
    pub(crate) score: Option<u8>,
    /// Yes or no (SR, EffScore)
    #[arg(long, value_enum)]
    pub(crate) success: Option<YesNo>,
    /// Who says so
    #[arg(long, value_name = "NAME")]
    pub(crate) by: String,
    /// Why
    #[arg(long, value_name = "TEXT", required_unless_present = "remove")]
    pub(crate) why: Option<String>,
    /// Only instead of this judge (default: of all)
    #[arg(long, value_name = "MODEL")]
    pub(crate) judge: Option<String>,
    /// Take the override back
    #[arg(long, conflicts_with_all = ["score", "success", "why"])]
    pub(crate) remove: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    /// All runs, newest first
    List,
    /// One run: levels, attempts, cache use
    Show { id: String },
    /// Give a run tags, in place of those it had; none takes them away
    #[command(
        after_help = "Example:\n  koab runs tag azure_gpt-4o/20251219_113310 baseline final --note 'before the fix'"
    )]
    Tag {
        id: String,
        tags: Vec<String>,
        /// A note beside them; without it the run keeps the one it has
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
    /// Go on from a step of an attempt with something changed: a tool's answer, an error, a message, the model. A fork explains
    /// a run and never enters a report
    #[command(
        after_help = "Examples:\n  koab runs fork last L3-004 --step 2 --result '{\"items\": []}'\n  koab runs fork last L5-001 --step 1 --error timeout --dry-run\n  koab runs fork last L1-001 --step 1 --model openai/gpt-4o"
    )]
    Fork(Box<fork::ForkArgs>),
    /// The forks of a run, or all
    Forks {
        run: Option<String>,
        /// Only those of this task
        #[arg(long)]
        task: Option<String>,
    },
    /// A fork beside its original: what was changed, both ways from there, what each would score
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
    /// Remove a run and its logs
    Delete {
        id: String,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ReportCommand {
    /// All reports
    List,
    /// The score table of one report
    Show { id: String },
    /// What several attempts at the same tasks tell: pass@k, pass^k, tasks whose attempts disagree, a mark an attempt
    #[command(after_help = "Example:\n  koab report repetitions openai_gpt-4o_20261121-180000")]
    Repetitions { id: String },
    /// Reports side by side: how far each can be held against the first, which differences to it are more than chance, and
    /// the ranks of all with their intervals
    #[command(
        after_help = "Example:\n  koab report compare baseline_golden_20261120-090000 azure_gpt-4o_20251219 --metrics SR,FSM"
    )]
    Compare {
        #[arg(required = true, num_args = 1.., value_name = "REPORT")]
        ids: Vec<String>,
        /// Test only these metrics, which makes the family that is corrected smaller
        #[arg(long, value_delimiter = ',', value_name = "METRIC")]
        metrics: Vec<koab_api::MetricId>,
        /// Where the draws of intervals, signs and ranks begin
        #[arg(long, value_name = "NUMBER")]
        seed: Option<u64>,
        /// How many draws (10000 unless given)
        #[arg(long, value_name = "NUMBER")]
        draws: Option<u32>,
        /// The reports of the reference set as well
        #[arg(long)]
        with_reference: bool,
    },
    /// Every pair of reports by a yes-or-no metric: McNemar's exact test of the whole library, or of those named
    #[command(after_help = "Example:\n  koab report matrix --scorer leaderboard")]
    Matrix {
        #[arg(value_name = "REPORT")]
        ids: Vec<String>,
        /// A metric that says yes or no of each task
        #[arg(long, default_value = "SR")]
        metric: koab_api::MetricId,
        /// Over this level alone
        #[arg(long)]
        level: Option<koab_api::Level>,
        /// Only reports scored by these rules
        #[arg(long)]
        scorer: Option<koab_api::Protocol>,
    },
    /// Why attempts lost points: reports or runs sorted by rules, cause by level or by model; nobody is asked
    #[command(
        after_help = "Examples:\n  koab report atlas azure_gpt-4o_20251219\n  koab report atlas azure_gpt-4o_20251219 azure_gpt-5_20251219 --by model --format svg -o atlas.svg\n  koab report atlas azure_gpt-4o_20251219 --level L5 --cause retried_failure"
    )]
    Atlas(AtlasArgs),
    /// The reference set: published reports that others are held against; `import --reference` brings it
    #[command(after_help = "Example:\n  koab report references --remove --yes")]
    References {
        /// Move the whole set to the trash, where it stays for 30 days
        #[arg(long)]
        remove: bool,
        /// Do not ask
        #[arg(long, requires = "remove")]
        yes: bool,
        /// Bring a removed set back
        #[arg(long, conflicts_with = "remove")]
        restore: bool,
    },
    /// One report as a file: a page with everything in it, or a published file as it is kept, with files beside it that say
    /// how it can be compared and each number's interval
    #[command(after_help = "Example:\n  koab report export azure_gpt-4o_20251219 -o gpt-4o.html")]
    Export {
        id: String,
        /// Which form
        #[arg(long, value_enum, default_value_t = ExportArg::Html)]
        format: ExportArg,
        /// File to write; `-` is the terminal
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
    /// Take in reports, run logs, summaries and packs: files, folders, archives, found by what they hold
    #[command(
        after_help = "Examples:\n  koab report import ./reports ./logs evaluation_summary.csv published.zip\n  koab report import ~/Ko-AgentBench --reference"
    )]
    Import {
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// Only reports, as the reference set: from a checkout of the published repository, its archive, or its folder reports
        #[arg(long)]
        reference: bool,
    },
    /// One CSV of all reports of a folder, or of some of the workspace with the reference set (89 columns, or 91 with ProvAcc
    /// and ReuseRate)
    #[command(
        after_help = "Examples:\n  koab report combine ./reports -o combined.csv\n  koab report combine --report openai_gpt-4o_20261121-180000 --with-reference -o combined.csv"
    )]
    Combine {
        /// Folder of reports (default: the workspace's)
        dir: Option<PathBuf>,
        /// Only this report of the workspace; may be given several times
        #[arg(long, value_name = "REPORT", conflicts_with = "dir")]
        report: Vec<String>,
        /// The reports of the reference set beside them
        #[arg(long, requires = "report")]
        with_reference: bool,
        /// File to write
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
        /// How models and columns are named
        #[arg(long, value_enum, default_value_t = submit::NamesArg::Script)]
        names: submit::NamesArg,
        /// In which order the rows stand
        #[arg(long, value_enum, default_value_t = submit::OrderArg::Folder)]
        order: submit::OrderArg,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum PackCommand {
    /// All packs; the active one is marked
    List,
    /// One pack: levels, tools, records, source, licence
    Show { name: Option<String> },
    /// Make a pack the active one
    Use { name: String },
    /// Import a folder or archive: a pack, the published data, or a checkout of the published repository
    Import {
        path: PathBuf,
        /// Make it the active pack
        #[arg(long)]
        r#use: bool,
    },
    /// Fetch a pack, tasks or what is published of a benchmark: a dataset of a Hugging Face hub, or the archive of a repository
    #[command(
        after_help = "Examples:\n  koab pack pull huggingface-KREW/Ko-AgentBench\n  koab pack pull --archive https://github.com/Hugging-Face-KREW/Ko-AgentBench@main --use"
    )]
    Pull(PackPullArgs),
    /// What is published of a benchmark and was fetched, held against an installed pack; asks no network
    Published {
        /// Repository, also as REPO@COMMIT (default: all of them, as a list)
        #[arg(value_name = "REPO")]
        repo: Option<String>,
        /// Pack to hold it against (default: the installed one that has the most of its tasks)
        #[arg(long, value_name = "NAME", requires = "repo")]
        pack: Option<String>,
        /// Take it off the list; its files stay in the cache that Hugging Face's tools share
        #[arg(long, requires = "repo", conflicts_with = "pack")]
        forget: bool,
    },
    /// Hold a pack against the hashes of its manifest
    Verify { name: Option<String> },
    /// Write an installed pack as an archive that `pack import` reads
    #[command(after_help = "Examples:\n  koab pack export mine\n  koab pack export mine@1 -o mine-1.zip")]
    Export {
        /// Pack, also as NAME@VERSION for an earlier version of an own pack (default: the active one)
        name: Option<String>,
        /// File to write (default: NAME-VERSION.zip in this folder)
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Replace the file if there is one
        #[arg(long)]
        force: bool,
    },
    /// Everything that is wrong with a pack, and which calls of its golden paths are not recorded; nothing is imported
    #[command(after_help = "Examples:\n  koab pack lint mine\n  koab pack lint ./my-pack")]
    Lint {
        /// Installed pack, folder or archive (default: the active pack)
        #[arg(value_name = "NAME|PATH")]
        pack: Option<String>,
    },
    /// Packs that are being written in the window, and the versions saved from them
    Drafts,
    /// Save a draft as the next version of its pack
    Save {
        /// Name of the draft
        name: String,
    },
    /// Begin a draft: of an installed pack, or with one example task and tool
    Draft {
        /// Name of the pack that it becomes
        name: String,
        /// Pack to copy (default: an example)
        #[arg(long, value_name = "PACK")]
        from: Option<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct PackPullArgs {
    /// Dataset as ORG/NAME or ORG/NAME@REVISION; with --archive an address
    #[arg(value_name = "REPO[@REV]")]
    pub(crate) from: String,
    /// REPO is the page of a repository (https://github.com/ORG/NAME[@REV]) or the address of an archive
    #[arg(long)]
    pub(crate) archive: bool,
    /// Installed pack to hold what is published against, or whose tools solve tasks that come without any
    #[arg(long, value_name = "NAME")]
    pub(crate) pack: Option<String>,
    /// Make the pack that comes the active one
    #[arg(long)]
    pub(crate) r#use: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CacheCommand {
    /// Records a tool
    Stats,
    /// The recorded response for a call
    Lookup {
        tool: String,
        /// Arguments as a JSON object
        args: String,
    },
    /// How long a look-up takes: recorded calls from all over the active pack, each once
    Time {
        /// So many at most
        #[arg(long, value_name = "N", default_value_t = 20_000)]
        calls: usize,
    },
    /// Answers of the real services that runs in write mode have kept beside the active pack
    Overlay {
        /// Forget all of them
        #[arg(long)]
        clear: bool,
    },
    /// Write the pack's own records in the published layout below a new folder; other states with `koab cache snapshot export`
    #[command(after_help = "Example:\n  koab cache export ./cache")]
    Export {
        dir: PathBuf,
        /// Pack (default: the active one)
        #[arg(long, value_name = "NAME")]
        pack: Option<String>,
    },
    /// Named states of the recorded responses, the overlay included, which nothing changes any more
    #[command(
        after_help = "Example:\n  koab cache snapshot create before-fix && koab run --model openai/gpt-4o --cache-snapshot before-fix"
    )]
    Snapshot {
        #[command(subcommand)]
        command: snapshot::SnapshotCommand,
    },
    /// Which results of a run's tool calls are others in another state of the recorded responses
    #[command(after_help = "Example:\n  koab cache drift azure_gpt-4o/20251219_113310 --against now")]
    Drift(snapshot::DriftArgs),
    /// The calls of a run that had no recorded response, each beside the recorded call most like it
    #[command(after_help = "Example:\n  koab cache misses azure_gpt-4o/20261121_180000")]
    Misses {
        /// The run, by id or folder
        run: String,
    },
    /// Ask the real services for what a run missed and keep their answers beside the pack (needs their keys)
    #[command(
        after_help = "Example:\n  koab cache fill azure_gpt-4o/20261121_180000 --dry-run\n\nThen make the tasks again:\n  koab run --misses-of azure_gpt-4o/20261121_180000"
    )]
    Fill(CacheFillArgs),
}

#[derive(Debug, Args)]
pub(crate) struct CacheFillArgs {
    /// The run, by id or folder
    pub(crate) run: String,
    /// Only what these tasks missed, such as L1-001,L5-003
    #[arg(long, value_delimiter = ',', value_name = "IDS")]
    pub(crate) tasks: Vec<String>,
    /// Show what would be asked of whom, and ask nobody
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Leave services out whose keys are missing
    #[arg(long)]
    pub(crate) without_keys: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeysCommand {
    /// All known names: whether there is a key, and where it comes from
    List,
    /// Store a key; it is asked for without showing it, or read from stdin
    Set {
        name: String,
        /// Here only to say why a key must not stand here
        #[arg(hide = true)]
        value: Vec<KeptQuiet>,
        /// Into a file encrypted with a passphrase instead (KOAB_KEYS_PASSPHRASE, else asked for)
        #[arg(long)]
        file: bool,
    },
    /// Remove a key from the keychain
    Delete {
        name: String,
        /// From the encrypted file instead
        #[arg(long)]
        file: bool,
    },
    /// Take the known keys of a .env file into the keychain
    Import {
        path: PathBuf,
        /// Store them; without, only show which
        #[arg(long)]
        yes: bool,
        /// Into the encrypted file instead
        #[arg(long)]
        file: bool,
    },
}

/// A word of the command line that is not kept, so that nothing can print it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptQuiet;

impl From<&str> for KeptQuiet {
    fn from(_: &str) -> Self {
        Self
    }
}

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Port on the loopback address (0: any free one)
    #[arg(long, default_value_t = 0)]
    pub(crate) port: u16,
    /// Open the browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Folder with the built page (default: the one in the program, else ui/dist of the checkout)
    #[arg(long, value_name = "DIR")]
    pub(crate) ui: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::CommandFactory as _;

    /// A word that names another which its command does not have would panic when that command is read, and only then.
    #[test]
    fn every_command_can_be_read() {
        Cli::command().debug_assert();
    }
}
