//! Arguments of `koab report`.

use super::atlas::AtlasArgs;
use super::name::{ReportName, ReportNames};
use super::words::{Word, one_of};
use clap::{Args, Subcommand};
use koab_api::{AcrossWeights, CombinedNames, CombinedOrder, ReportFormat};
use std::path::PathBuf;

const FORMATS: &[Word<ReportFormat>] = &[
    ("html", "One self-contained page", ReportFormat::Html),
    ("json", "evaluation_report.json", ReportFormat::Json),
    ("csv", "evaluation_summary.csv", ReportFormat::Csv),
    ("md", "evaluation_report.md", ReportFormat::Md),
];

const NAMES: &[Word<CombinedNames>] = &[
    ("script", "As the published script writes them: folder names", CombinedNames::Published),
    (
        "leaderboard",
        "As the leaderboard's own file has them: short names with their vendors",
        CombinedNames::Leaderboard,
    ),
    ("plain", "Short names, and the two misspelt columns spelled right", CombinedNames::Plain),
];

const ORDERS: &[Word<CombinedOrder>] = &[
    ("folder", "By the report's folder", CombinedOrder::Folder),
    ("name", "By the model's name in the table", CombinedOrder::Name),
    ("success", "By success rate, the best first", CombinedOrder::Success),
];

const WEIGHTS: &[Word<AcrossWeights>] = &[
    ("item", "Each task counts the same, so packs with many tasks count more", AcrossWeights::Item),
    ("benchmark", "Each pack counts the same, and so does each task in a pack", AcrossWeights::Benchmark),
];

#[derive(Debug, Subcommand)]
pub(crate) enum ReportCommand {
    /// All reports
    #[command(alias = "ls")]
    List,
    /// The score table of one report
    Show {
        #[command(flatten)]
        of: ReportName,
        /// Show every call without a cached response instead of one line for each tool (`--json`
        /// has all)
        #[arg(long)]
        problems: bool,
    },
    /// Show what repeated attempts tell: pass@k, pass^k, tasks whose attempts disagree, and a mark
    /// for each attempt
    #[command(after_help = "Example:\n  koab report repetitions openai_gpt-4o_20261121-180000")]
    Repetitions(ReportName),
    /// Compare reports with the first one: how far each can be compared, which differences are
    /// significant, and the ranks of all with their intervals
    #[command(
        after_help = "Examples:\n  koab report compare baseline_golden_20261120-090000 azure_gpt-4o_20251219 --metrics SR,FSM\n  koab report compare azure_gpt-4o_20251219 azure_gpt-5_20251219 --metrics L3\n  koab report compare --across a-bfcl a-functionchat b-bfcl b-functionchat --weights benchmark"
    )]
    Compare(CompareArgs),
    /// Compare every pair of reports by a yes-or-no metric with McNemar's exact test: the whole
    /// library, or the named reports
    #[command(after_help = "Example:\n  koab report matrix --scorer leaderboard")]
    Matrix {
        #[command(flatten)]
        of: ReportNames,
        /// Yes-or-no metric of a task
        #[arg(long, default_value = "SR")]
        metric: String,
        /// Only tasks of this level
        #[arg(long)]
        level: Option<koab_api::Level>,
        /// Only reports scored by these rules
        #[arg(long)]
        scorer: Option<koab_api::Protocol>,
    },
    /// Show why attempts of reports or runs lost points: causes, found by rules, for each level or
    /// model; makes no API calls
    #[command(
        after_help = "Examples:\n  koab report atlas azure_gpt-4o_20251219\n  koab report atlas azure_gpt-4o_20251219 azure_gpt-5_20251219 --by model --format svg -o atlas.svg\n  koab report atlas azure_gpt-4o_20251219 --level L5 --cause retried_failure"
    )]
    Atlas(AtlasArgs),
    /// Show the reference set: published reports that others are compared with; `import
    /// --reference` adds it
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
    /// Move a report to the trash, where it stays for 30 days; its run stays as it is
    #[command(
        aliases = ["rm", "remove"],
        after_help = "Examples:\n  koab report delete azure_gpt-4o_20251219 --yes\n  koab report restore azure_gpt-4o_20251219"
    )]
    Delete {
        /// The report, by its whole id as `koab report list` shows it
        #[arg(value_name = "REPORT")]
        id: String,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Bring a report back from the trash
    #[command(after_help = "Example:\n  koab report restore azure_gpt-4o_20251219")]
    Restore {
        /// The report, by the id that it had
        #[arg(value_name = "REPORT")]
        id: String,
    },
    /// Write one report as a file: a page with everything in it, or a published file with further
    /// files for comparability and intervals
    #[command(after_help = "Example:\n  koab report export azure_gpt-4o_20251219 -o gpt-4o.html")]
    Export {
        #[command(flatten)]
        of: ReportName,
        /// Format
        #[arg(long, value_parser = one_of(FORMATS), default_value = "html")]
        format: ReportFormat,
        /// File to write; `-` is the terminal
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
    /// Import reports, run logs, summaries and packs from files, folders and archives, recognised
    /// by their content
    #[command(
        after_help = "Examples:\n  koab report import ./reports ./logs evaluation_summary.csv published.zip\n  koab report import ~/Ko-AgentBench --reference"
    )]
    Import(ImportArgs),
    /// Write one CSV of all reports of a folder, or of some of the workspace with the reference set
    /// (89 columns, or 91 with ProvAcc and ReuseRate)
    #[command(
        after_help = "Examples:\n  koab report combine ./reports -o combined.csv\n  koab report combine --report openai_gpt-4o_20261121-180000 --with-reference -o combined.csv"
    )]
    Combine {
        /// Folder of reports (default: the workspace's)
        dir: Option<PathBuf>,
        /// Only this report of the workspace, by its id or its run; may be given several times
        #[arg(long, value_name = "REPORT", conflicts_with = "dir")]
        report: Vec<String>,
        /// Include the reports of the reference set
        #[arg(long, requires = "report")]
        with_reference: bool,
        /// File to write
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
        /// Names of models and columns
        #[arg(long, value_parser = one_of(NAMES), default_value = "script")]
        names: CombinedNames,
        /// Order of the rows
        #[arg(long, value_parser = one_of(ORDERS), default_value = "folder")]
        order: CombinedOrder,
    },
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) of: ReportNames,
    /// Test only these, so that fewer tests are corrected together: metrics (FSM), all metrics
    /// of a level (L3), or a metric of one level (L3.SR); ranks are then shown only by SR, and
    /// only if SR is named
    #[arg(long, value_delimiter = ',', value_name = "METRIC")]
    pub(crate) metrics: Vec<String>,
    /// Seed of the draws for intervals, signs and ranks
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
    /// Number of draws (default: 10000)
    #[arg(long, value_name = "NUMBER")]
    pub(crate) draws: Option<u32>,
    /// Include the reports of the reference set
    #[arg(long)]
    pub(crate) with_reference: bool,
    /// Compare reports of several packs: the first report's model with each other model, over
    /// the packs that both have in common, by success rate (SR), for each pack and group and
    /// combined
    #[arg(long, conflicts_with_all = ["metrics", "draws"])]
    pub(crate) across: bool,
    /// Weights in the combined difference
    #[arg(long, value_parser = one_of(WEIGHTS), default_value = "item", requires = "across")]
    pub(crate) weights: AcrossWeights,
}

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Only reports, as the reference set: from a checkout of the published repository, its
    /// archive, or its folder reports
    #[arg(long)]
    pub(crate) reference: bool,
}
