//! Arguments of `koab judge`.

use super::judge_lab::{AgainArgs, EstimateArgs, LabArgs, QueueArgs, RevealArgs};
use super::name::{RunName, RunNameOrAll};
use super::words::{Word, one_of};
use clap::{Args, Subcommand};
use koab_api::Rules;
use std::path::PathBuf;

const YES_NO: &[Word<bool>] = &[("yes", "", true), ("no", "", false)];

#[derive(Debug, Subcommand)]
pub(crate) enum JudgeCommand {
    /// Show the default panel, and whether the key of each judge is present
    Panel,
    /// Show the questions about a task of a run, with all answers of judges and people
    Show {
        #[command(flatten)]
        of: RunName,
        /// Task id, such as L1-003
        task: String,
    },
    /// Show the hashes of the questions that judges would be asked about replies made elsewhere;
    /// makes no API calls
    #[command(after_help = "Example:\n  koab judge plan --answers answers.jsonl --pack functionchat --json")]
    Plan(PlanArgs),
    /// Override a verdict with your own; the judges' verdicts stay as they are
    Override(OverrideArgs),
    /// Human overrides: all of them, or those of a run
    Overrides(RunNameOrAll),
    /// Compare several judges on the same runs: verdicts, agreement, and effect on scores and ranks
    #[command(
        after_help = "Example:\n  koab judge lab azure_gpt-4o/20251219_120000 vertex_ai_gemini-2.5-pro/20251219_120000\n  koab judge lab last --without openai/gpt-4o-mini"
    )]
    Lab(LabArgs),
    /// Ask other judges the questions about runs that they have not answered; nothing is run or
    /// asked twice
    #[command(
        after_help = "Example:\n  koab judge again last --judge-models openai/gpt-4o gemini/gemini-2.5-pro --dry-run"
    )]
    Again(AgainArgs),
    /// Write the questions on which judges disagree most, or random ones, without names, votes and
    /// scores, for a person to answer
    #[command(
        after_help = "Examples:\n  koab judge queue last -k 20 --by Mina -o queue.csv\n  koab judge queue last --random --metric SR -k 60 --by Mina -o random.csv"
    )]
    Queue(QueueArgs),
    /// List the blind reviews of the workspace
    Queues,
    /// Bring back a queue that its reviewer has filled in
    #[command(after_help = "Example:\n  koab judge answers queue.csv")]
    Answers { file: PathBuf },
    /// Show the judges' answers to a queue and which judge is closest to the reviewer; the queue
    /// takes no more answers
    #[command(after_help = "Example:\n  koab judge reveal 3f2a90c1d4 --apply --by Mina")]
    Reveal(RevealArgs),
    /// Estimate the answers of people over all questions, from their answers to a random queue and
    /// the judges' verdicts on the rest
    #[command(after_help = "Example:\n  koab judge estimate 3f2a90c1d4 --json")]
    Estimate(EstimateArgs),
}

/// Scoring rules for replies to another benchmark.
const RULES: &[Word<Rules>] = &[("leaderboard", "", Rules::Published), ("corrected", "", Rules::Corrected)];

#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    /// File with the replies, one line of JSON each
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: PathBuf,
    /// The benchmark's pack, such as functionchat
    #[arg(long, value_name = "NAME")]
    pub(crate) pack: String,
    /// Scorer
    #[arg(long, value_parser = one_of(RULES), default_value = "leaderboard")]
    pub(crate) scorer: Rules,
}

#[derive(Debug, Args)]
pub(crate) struct OverrideArgs {
    #[command(flatten)]
    pub(crate) of: RunName,
    /// Task id, such as L1-003
    pub(crate) task: String,
    /// Metric: SR, ArgAcc, EffScore, ContextRetention or RefRecall
    pub(crate) metric: String,
    /// Grade from 1 to 5 (ArgAcc, ContextRetention, RefRecall)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=5), conflicts_with = "success")]
    pub(crate) score: Option<u8>,
    /// Yes or no (SR, EffScore)
    #[arg(long, value_parser = one_of(YES_NO))]
    pub(crate) success: Option<bool>,
    /// Name of the person who overrides the verdict
    #[arg(long, value_name = "NAME")]
    pub(crate) by: String,
    /// Reason for the override
    #[arg(long, value_name = "TEXT", required_unless_present = "remove")]
    pub(crate) why: Option<String>,
    /// Override only the verdict of this judge (default: of all)
    #[arg(long, value_name = "MODEL")]
    pub(crate) judge: Option<String>,
    /// Remove the override
    #[arg(long, conflicts_with_all = ["score", "success", "why"])]
    pub(crate) remove: bool,
}
