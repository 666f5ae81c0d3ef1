//! `koab report`.

use super::atlas::AtlasArgs;
use super::name::{ReportName, ReportNames};
use super::words::{Word, one_of};
use clap::Subcommand;
use koab_api::{AcrossWeights, CombinedNames, CombinedOrder, ReportFormat};
use std::path::PathBuf;

const FORMATS: &[Word<ReportFormat>] = &[
    ("html", "One page that needs nothing but itself", ReportFormat::Html),
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
    ("item", "Every task: packs of many tasks lead", AcrossWeights::Item),
    ("benchmark", "Every pack, and within it every task", AcrossWeights::Benchmark),
];

#[derive(Debug, Subcommand)]
pub(crate) enum ReportCommand {
    /// All reports
    List,
    /// The score table of one report
    Show {
        #[command(flatten)]
        of: ReportName,
        /// Name every call without a cached response, not a line a tool (`--json` has all)
        #[arg(long)]
        problems: bool,
    },
    /// What several attempts at the same tasks tell: pass@k, pass^k, tasks whose attempts disagree,
    /// a mark an attempt
    #[command(after_help = "Example:\n  koab report repetitions openai_gpt-4o_20261121-180000")]
    Repetitions(ReportName),
    /// Reports side by side: how far each can be compared with the first, which differences to it
    /// are more than chance, and the ranks of all with their intervals
    #[command(
        after_help = "Examples:\n  koab report compare baseline_golden_20261120-090000 azure_gpt-4o_20251219 --metrics SR,FSM\n  koab report compare azure_gpt-4o_20251219 azure_gpt-5_20251219 --metrics L3\n  koab report compare --across a-bfcl a-functionchat b-bfcl b-functionchat --weights benchmark"
    )]
    Compare {
        #[command(flatten)]
        of: ReportNames,
        /// Test only these, which makes the families that are corrected smaller: metrics (FSM),
        /// levels with all of theirs (L3), or a metric of one level (L3.SR); ranks, which are by
        /// the composite and SR, are shown of SR alone where it is named
        #[arg(long, value_delimiter = ',', value_name = "METRIC")]
        metrics: Vec<String>,
        /// Where the draws of intervals, signs and ranks begin
        #[arg(long, value_name = "NUMBER")]
        seed: Option<u64>,
        /// How many draws (10000 unless given)
        #[arg(long, value_name = "NUMBER")]
        draws: Option<u32>,
        /// The reports of the reference set as well
        #[arg(long)]
        with_reference: bool,
        /// Reports of several packs: the first one's model against each other model over the packs
        /// that both have reports of, by success rate (SR), pack by pack, group by group and
        /// combined
        #[arg(long, conflicts_with_all = ["metrics", "draws"])]
        across: bool,
        /// What counts the same in the combined difference
        #[arg(long, value_parser = one_of(WEIGHTS), default_value = "item", requires = "across")]
        weights: AcrossWeights,
    },
    /// Every pair of reports by a yes-or-no metric: McNemar's exact test of the whole library, or
    /// of those named
    #[command(after_help = "Example:\n  koab report matrix --scorer leaderboard")]
    Matrix {
        #[command(flatten)]
        of: ReportNames,
        /// A metric that says yes or no of each task
        #[arg(long, default_value = "SR")]
        metric: String,
        /// Over this level alone
        #[arg(long)]
        level: Option<koab_api::Level>,
        /// Only reports scored by these rules
        #[arg(long)]
        scorer: Option<koab_api::Protocol>,
    },
    /// Why attempts lost points: reports or runs sorted by rules, cause by level or by model; makes
    /// no API calls
    #[command(
        after_help = "Examples:\n  koab report atlas azure_gpt-4o_20251219\n  koab report atlas azure_gpt-4o_20251219 azure_gpt-5_20251219 --by model --format svg -o atlas.svg\n  koab report atlas azure_gpt-4o_20251219 --level L5 --cause retried_failure"
    )]
    Atlas(AtlasArgs),
    /// The reference set: published reports that others are compared with; `import --reference`
    /// brings it
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
    /// One report as a file: a page with everything in it, or a published file as it is kept, with
    /// files beside it that say how it can be compared and each number's interval
    #[command(after_help = "Example:\n  koab report export azure_gpt-4o_20251219 -o gpt-4o.html")]
    Export {
        #[command(flatten)]
        of: ReportName,
        /// Which form
        #[arg(long, value_parser = one_of(FORMATS), default_value = "html")]
        format: ReportFormat,
        /// File to write; `-` is the terminal
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
    /// Take in reports, run logs, summaries and packs: files, folders, archives, found by what they
    /// hold
    #[command(
        after_help = "Examples:\n  koab report import ./reports ./logs evaluation_summary.csv published.zip\n  koab report import ~/Ko-AgentBench --reference"
    )]
    Import {
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// Only reports, as the reference set: from a checkout of the published repository, its
        /// archive, or its folder reports
        #[arg(long)]
        reference: bool,
    },
    /// One CSV of all reports of a folder, or of some of the workspace with the reference set (89
    /// columns, or 91 with ProvAcc and ReuseRate)
    #[command(
        after_help = "Examples:\n  koab report combine ./reports -o combined.csv\n  koab report combine --report openai_gpt-4o_20261121-180000 --with-reference -o combined.csv"
    )]
    Combine {
        /// Folder of reports (default: the workspace's)
        dir: Option<PathBuf>,
        /// Only this report of the workspace, by its id or its run; may be given several times
        #[arg(long, value_name = "REPORT", conflicts_with = "dir")]
        report: Vec<String>,
        /// The reports of the reference set beside them
        #[arg(long, requires = "report")]
        with_reference: bool,
        /// File to write
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
        /// How models and columns are named
        #[arg(long, value_parser = one_of(NAMES), default_value = "script")]
        names: CombinedNames,
        /// In which order the rows stand
        #[arg(long, value_parser = one_of(ORDERS), default_value = "folder")]
        order: CombinedOrder,
    },
}
