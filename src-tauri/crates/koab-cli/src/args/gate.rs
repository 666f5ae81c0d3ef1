//! Arguments of `koab gate`.
#![expect(
    clippy::doc_markdown,
    reason = "these comments are the help texts, and a terminal shows no Markdown"
)]

use super::heading::{JUDGES, LIMITS, MODEL, OUTPUT, WHAT};
use super::run::EFFORTS;
use super::words::{metric, points};
use clap::Args;
use koab_api::MetricId;
use koab_api::gate::JudgeFlips;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct GateArgs {
    /// Baseline: a report, a run that has one, or the file of a report (evaluation_report.json)
    #[arg(help_heading = WHAT, long, value_name = "REPORT|RUN|FILE")]
    pub(crate) baseline: String,
    /// Pack, by name or folder (default: the active one)
    #[arg(help_heading = WHAT, long, value_name = "NAME|DIR")]
    pub(crate) pack: Option<String>,
    /// Only these levels or groups, such as L1,L2 (default: all of the pack)
    #[arg(help_heading = WHAT, long, value_delimiter = ',', value_name = "LEVELS")]
    pub(crate) levels: Vec<String>,
    /// Metric to test, such as SR or ToolAcc
    #[arg(help_heading = WHAT, long, default_value = "SR", value_parser = metric)]
    pub(crate) metric: MetricId,
    /// Smallest loss that is too much, in points (5pp) or as a share (0.05)
    #[arg(help_heading = WHAT, long, default_value = "5pp", value_parser = points)]
    pub(crate) margin: f64,
    /// Error rate: probability of a pass at a loss of the margin, and of a fail at no loss
    #[arg(help_heading = WHAT, long, default_value_t = 0.05)]
    pub(crate) alpha: f64,
    /// Probability that a model without a loss passes
    #[arg(help_heading = WHAT, long, default_value_t = 0.8)]
    pub(crate) power: f64,
    /// Seed of the order of the tasks (default: a new one each time, which is printed)
    #[arg(help_heading = WHAT, long)]
    pub(crate) seed: Option<u64>,
    /// Model that changed, as provider/model
    #[arg(help_heading = MODEL, long, value_name = "PROVIDER/ID")]
    pub(crate) model: String,
    /// Address of the model's server, such as http://localhost:8000/v1
    #[arg(help_heading = MODEL, long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// Model of the baseline, which then makes more attempts as needed; without it the baseline has
    /// only its existing attempts
    #[arg(help_heading = MODEL, long, value_name = "PROVIDER/ID")]
    pub(crate) baseline_model: Option<String>,
    /// Address of the baseline's server
    #[arg(help_heading = MODEL, long, value_name = "URL", requires = "baseline_model")]
    pub(crate) baseline_url: Option<String>,
    /// Sampling temperature (default: 0.7; for a pack of another benchmark, the benchmark's own)
    #[arg(help_heading = MODEL, long)]
    pub(crate) temperature: Option<f64>,
    /// Output tokens of each model call (default: as in a run of the pack)
    #[arg(help_heading = MODEL, long, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_tokens: Option<u32>,
    /// Reasoning effort, for models that take one
    #[arg(help_heading = MODEL, long, value_parser = EFFORTS)]
    pub(crate) effort: Option<String>,
    /// Maximum number of attempts, both sides together
    #[arg(help_heading = LIMITS, long, value_name = "N")]
    pub(crate) max_attempts: Option<usize>,
    /// Stop before the whole gate costs more
    #[arg(help_heading = LIMITS, long, value_name = "USD")]
    pub(crate) max_cost: Option<f64>,
    /// Attempts in flight (default: what suits the server)
    #[arg(help_heading = LIMITS, long, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) concurrency: Option<u32>,
    /// Judge models
    #[arg(help_heading = JUDGES, long, alias = "judge", num_args = 1.., value_name = "MODEL")]
    pub(crate) judge_models: Vec<String>,
    /// Address of the judges' server
    #[arg(help_heading = JUDGES, long, value_name = "URL", requires = "judge_models")]
    pub(crate) judge_base_url: Option<String>,
    /// Number of answers to ask the judges for again, to see how often they contradict themselves
    /// (default: chosen by the attempts, 50 to 200; 0: none)
    #[arg(help_heading = JUDGES, long, value_name = "N", conflicts_with = "judge_flips")]
    pub(crate) judge_again: Option<usize>,
    /// Known number of different answers of the judge to the same question, such as 3/100; of at
    /// least 50 questions
    #[arg(help_heading = JUDGES, long, value_name = "D/N", value_parser = flips)]
    pub(crate) judge_flips: Option<JudgeFlips>,
    /// Show the estimated attempts, cost and time, and run nothing
    #[arg(help_heading = OUTPUT, long)]
    pub(crate) dry_run: bool,
    /// Write the result as JUnit XML
    #[arg(help_heading = OUTPUT, long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Write the result as Markdown, for a pull request
    #[arg(help_heading = OUTPUT, long, value_name = "FILE")]
    pub(crate) markdown: Option<PathBuf>,
}

fn flips(text: &str) -> Result<JudgeFlips, String> {
    let parts = text.split_once('/').and_then(|(differed, asked)| {
        let flips = JudgeFlips { asked: asked.parse().ok()?, differed: differed.parse().ok()? };
        (flips.asked > 0 && flips.differed <= flips.asked).then_some(flips)
    });
    parts.ok_or_else(|| {
        "give the number of different answers and the number of questions, such as 3/100".to_owned()
    })
}
