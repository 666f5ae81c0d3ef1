//! Arguments of the command line (`koab --help`). The module `commands` implements them.
#![expect(
    clippy::doc_markdown,
    reason = "these comments are the help texts, and a terminal shows no Markdown"
)]

pub(crate) mod agents;
pub(crate) mod atlas;
pub(crate) mod bundle;
pub(crate) mod cache;
pub(crate) mod change;
pub(crate) mod cluster;
pub(crate) mod egress;
pub(crate) mod evaluate;
pub(crate) mod find;
pub(crate) mod fork;
pub(crate) mod gate;
mod heading;
pub(crate) mod judge;
pub(crate) mod judge_lab;
pub(crate) mod keys;
pub(crate) mod local_model;
pub(crate) mod mcp;
pub(crate) mod models;
pub(crate) mod name;
pub(crate) mod pack;
pub(crate) mod recorder;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod scenario;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod snapshot;
pub(crate) mod submit;
pub(crate) mod sweep;
pub(crate) mod trash;
pub(crate) mod words;

use self::heading::EVERYWHERE;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand};
use koab_core::sentence::Language;
use std::path::PathBuf;

/// Run the Korean benchmark Ko-AgentBench (L1–L7) against any model, score the runs, keep the
/// reports.
#[derive(Debug, Parser)]
#[command(
    name = "koab",
    version,
    propagate_version = true,
    disable_help_flag = true,
    disable_version_flag = true
)]
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
    /// Show all columns of tables in full, even if the terminal (or COLUMNS) is narrow
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub(crate) wide: bool,
    /// Refuse all requests to other computers (also with KOAB_OFFLINE=1, or until further notice
    /// with `koab offline on`)
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub(crate) offline: bool,
    /// Language of the text (default: the one chosen in the settings, else the system's)
    #[arg(long, global = true, value_parser = language(), help_heading = EVERYWHERE)]
    pub(crate) lang: Option<Language>,
    /// Print help (-h: a summary)
    #[arg(short, long, global = true, action = clap::ArgAction::Help, help_heading = EVERYWHERE)]
    help: Option<bool>,
    /// Print the version
    #[arg(short = 'V', long, global = true, action = clap::ArgAction::Version, help_heading = EVERYWHERE)]
    version: Option<bool>,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// Parser of a language's tag. It accepts the languages that exist.
fn language() -> impl TypedValueParser<Value = Language> {
    PossibleValuesParser::new(Language::all().map(Language::tag)).try_map(|tag| tag.parse::<Language>())
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the benchmark and write its logs
    #[command(
        after_help = "Example:\n  koab run --model openai_compat/qwen3 --base-url http://localhost:8000/v1 --evaluate"
    )]
    Run(Box<run::RunArgs>),
    /// Score a run's logs and write the reports
    #[command(
        name = "score",
        alias = "evaluate",
        after_help = "Examples:\n  koab score last\n  koab score last --judge openai/gpt-4o\n  koab score --date 20251219 --model azure/gpt-4o --no-judge"
    )]
    Evaluate(Box<evaluate::EvaluateArgs>),
    /// Compare reports with the first one: how far each can be compared, which differences are
    /// significant, and the ranks of all with their intervals
    #[command(
        after_help = "Examples:\n  koab compare azure_gpt-4o_20251219 azure_gpt-5_20251219\n  koab compare azure_gpt-4o_20251219 azure_gpt-5_20251219 --metrics L3"
    )]
    Compare(report::CompareArgs),
    /// Import reports, run logs, summaries and packs from files, folders and archives, recognised
    /// by their content
    #[command(
        after_help = "Examples:\n  koab import ./reports ./logs evaluation_summary.csv published.zip\n  koab import ~/Ko-AgentBench --reference"
    )]
    Import(report::ImportArgs),
    /// Show a run, report, pack or fork by its name
    #[command(
        after_help = "Examples:\n  koab show last\n  koab show azure_gpt-4o_20251219\n  koab show ko-agentbench"
    )]
    Show(show::ShowArgs),
    /// Test whether a change made a model worse, with as few attempts as possible (exit codes: 0
    /// pass, 4 fail, 5 inconclusive)
    #[command(
        after_help = "Example:\n  koab gate --baseline openai_compat_before_20261120-090000 --baseline-model openai_compat/before --model openai_compat/after --base-url http://localhost:8000/v1 --judge-models openai_compat/judge --margin 5pp --junit gate.xml"
    )]
    Gate(Box<gate::GateArgs>),
    /// Run every model with every setting on every pack, and test each against a baseline; the same
    /// command again makes missing runs
    #[command(
        alias = "sweeps",
        after_help = "Examples:\n  koab sweep sweep.toml --dry-run\n  koab sweep sweep.toml --markdown sweep.md"
    )]
    Sweep(sweep::SweepArgs),
    /// Verdicts of judges on single tasks, and human overrides
    #[command(
        alias = "judges",
        after_help = "Example:\n  koab judge override azure_gpt-4o/20251219_120000 L1-003 SR --success yes --by Mina --why \"the answer is right\""
    )]
    Judge {
        #[command(subcommand)]
        command: judge::JudgeCommand,
    },
    /// The runs of the workspace
    #[command(after_help = "Example:\n  koab runs list")]
    Runs {
        #[command(subcommand)]
        command: runs::RunsCommand,
    },
    /// The reports of the workspace
    #[command(
        alias = "reports",
        after_help = "Example:\n  koab report combine reports -o combined_evaluation_summary.csv"
    )]
    Report {
        #[command(subcommand)]
        command: report::ReportCommand,
    },
    /// Search the transcripts of all runs: words and filters, counts by model, level and tool
    #[command(
        after_help = "Examples:\n  koab find '주가 tool:StockPrice_ls'\n  koab find 'level:L3 score:SR=0 -error:timeout' --count\n  koab find 'args.query:\"서울 날씨\" OR answer~날씨'"
    )]
    Find(find::FindArgs),
    /// Deleted runs, reports, forks and packs: list them, put them back, remove them for good
    #[command(after_help = "Examples:\n  koab trash list\n  koab trash restore azure_gpt-4o/20251219_113310")]
    Trash {
        #[command(subcommand)]
        command: trash::TrashCommand,
    },
    /// Prepare results for the leaderboard's maintainers and others: rows, and bundles that anybody
    /// can verify
    #[command(
        after_help = "Examples:\n  koab submit prepare last --contact mina@example.org -o my-model.koab\n  koab submit verify my-model.koab"
    )]
    Submit {
        #[command(subcommand)]
        command: submit::SubmitCommand,
    },
    /// Packs: tasks, tools, judge prompts and cached responses
    #[command(
        alias = "packs",
        after_help = "Example:\n  koab pack import ./Ko-AgentBench && koab pack use ko-agentbench"
    )]
    Pack {
        #[command(subcommand)]
        command: pack::PackCommand,
    },
    /// The cached responses of the active pack
    #[command(after_help = "Example:\n  koab cache lookup MarketIndex_ls '{\"jisu\": \"KOSDAQ\"}'")]
    Cache {
        #[command(subcommand)]
        command: cache::CacheCommand,
    },
    /// Models that can be run, and those on this disk
    #[command(alias = "model", after_help = "Example:\n  koab models pull Qwen/Qwen2.5-7B-Instruct")]
    Models {
        #[command(subcommand)]
        command: models::ModelsCommand,
    },
    /// Keys of providers and tools, in the system's keychain
    #[command(alias = "key", after_help = "Example:\n  koab keys set OPENAI_API_KEY")]
    Keys {
        #[command(subcommand)]
        command: keys::KeysCommand,
    },
    /// Agents under test
    #[command(
        alias = "agent",
        after_help = "Example:\n  KOAB_MCP_URL=http://127.0.0.1:8080/mcp koab agents bridge"
    )]
    Agents {
        #[command(subcommand)]
        command: agents::AgentsCommand,
    },
    /// Sets of agent scenarios, each run in a container of its own
    #[command(alias = "scenarios", after_help = "Example:\n  koab scenario run Tasks/mini.jsonl --repeat 3")]
    Scenario {
        #[command(subcommand)]
        command: scenario::ScenarioCommand,
    },
    /// Open the window, at a run or a report, or with files to import
    #[command(after_help = "Examples:\n  koab open last\n  koab open my-model.koab")]
    Open {
        /// A run or a report: its id, `last` for the newest run, or its folder; or files to import
        /// (default: the place where the window was closed)
        #[arg(value_name = "RUN|REPORT|PATH")]
        what: Option<String>,
    },
    /// Serve the window's pages to a browser on this computer
    #[command(after_help = "Example:\n  koab serve --open")]
    Serve(serve::ServeArgs),
    /// Serve the product to coding agents over MCP on standard streams: plan, run, watch, compare
    #[command(after_help = "Example (in the settings of an agent):\n  koab mcp --max-cost 2")]
    Mcp(mcp::McpArgs),
    /// Show or set the offline switch, under which no request leaves this computer; it applies to
    /// the window too
    #[command(after_help = "Example:\n  koab offline on")]
    Offline {
        #[command(subcommand)]
        command: Option<egress::OfflineCommand>,
    },
    /// Log of requests to other computers: time, host and purpose
    #[command(after_help = "Examples:\n  koab egress list --since 24h\n  koab egress clear --yes")]
    Egress {
        #[command(subcommand)]
        command: egress::EgressCommand,
    },
    /// Check what works on this computer, with a remedy for each problem
    #[command(after_help = "Example:\n  koab doctor")]
    Doctor,
}

#[cfg(test)]
mod tests {
    use super::{Cli, heading};
    use clap::CommandFactory as _;

    /// An option that refers to an option which its command lacks causes a panic when the arguments
    /// of this command are parsed. `debug_assert` finds it for all commands.
    #[test]
    fn every_command_can_be_read() {
        Cli::command().debug_assert();
    }

    /// Collects the long help of a command and of all its subcommands, each with its name.
    fn helps(command: &mut clap::Command, into: &mut Vec<(String, String)>) {
        into.push((command.get_name().to_owned(), command.render_long_help().to_string()));
        for below in command.get_subcommands_mut() {
            helps(below, into);
        }
    }

    /// The glossary has a table of words that must not be used. `ui/src/locales/words.test.ts`
    /// tests the texts of the window with the same table.
    #[test]
    fn no_help_has_a_word_that_is_not_used() {
        let glossary = include_str!("../../../../docs/glossary.md");
        let (_, table) = glossary.split_once("## Words that are not used").unwrap_or_default();
        let retired: Vec<(&str, &str)> = table
            .lines()
            .filter_map(|line| {
                let mut cells = line.split('|').map(str::trim).skip(1);
                let (word, language, instead) = (cells.next()?, cells.next()?, cells.next()?);
                (language == "en").then_some((word, instead))
            })
            .collect();
        assert!(retired.len() > 20, "the glossary's table is read");
        let mut all = Vec::new();
        helps(&mut Cli::command(), &mut all);
        assert!(all.len() > 60, "every command is looked at");
        let mut found = Vec::new();
        for (name, help) in all {
            let flat = help.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
            for (word, instead) in &retired {
                if flat.contains(&word.replace('’', "'").to_lowercase()) {
                    found.push(format!("{name}: “{word}” (instead: {instead})"));
                }
            }
        }
        assert_eq!(found, Vec::<String>::new());
    }

    /// Options of a long help are grouped under headings that follow a user's questions. The
    /// options that every command has come last.
    #[test]
    fn the_long_helps_are_grouped() {
        let mut command = Cli::command();
        command.build();
        let headings = |name: &[&str]| {
            let mut at = &mut command.clone();
            for part in name {
                at = at.find_subcommand_mut(part).expect("a command");
            }
            let help = at.render_long_help().to_string();
            help.lines()
                .filter(|line| line.ends_with(':') && !line.starts_with(' ') && !line.starts_with("Example"))
                .map(|line| line.trim_end_matches(':').to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            headings(&["run"]),
            [
                heading::WHAT,
                heading::MODEL,
                heading::LOCAL,
                heading::TOOLS,
                heading::LIMITS,
                heading::CLUSTER,
                heading::JUDGES,
                heading::OUTPUT,
                heading::EVERYWHERE
            ]
        );
        assert_eq!(
            headings(&["evaluate"]),
            [
                "Arguments",
                heading::WHAT,
                heading::JUDGES,
                heading::LIMITS,
                heading::CLUSTER,
                heading::OUTPUT,
                heading::EVERYWHERE
            ]
        );
        assert_eq!(
            headings(&["scenario", "run"]),
            [
                "Arguments",
                heading::WHAT,
                heading::MODEL,
                heading::CONTAINER,
                heading::LIMITS,
                heading::CLUSTER,
                heading::OUTPUT,
                heading::EVERYWHERE
            ]
        );
    }
}
