//! What the command line can ask of a scoring, which is more than the window offers. The window's
//! requests turn into these.

use crate::wire::EvaluateRequest;
use koab_core::judge::Verdict;
use koab_core::level::Level;
use koab_core::protocol::Protocol;
pub use koab_core::run_record::CacheMode;
use koab_engine::ports::Amount;
use koab_models::LocalSettings;
pub use koab_models::SpendingCaps;
use std::collections::HashMap;
use std::path::PathBuf;

/// Verdicts without an answer, by what an answer would be kept under.
pub type FailedVerdicts = HashMap<[String; 3], Verdict>;

/// Which run is scored.
#[derive(Clone, Debug)]
pub enum RunChoice {
    /// By id or folder.
    Run(String),
    /// By the start of its date and its model, as the published tool does.
    Date {
        /// `YYYYMMDD` or more.
        date: String,
        /// Model id in any spelling.
        model: String,
    },
}

/// Who judges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JudgeChoice {
    /// Those that the run was last scored by, else the documented panel if all its keys are there,
    /// else nobody.
    Default,
    /// Nobody: judge metrics stay unscored.
    Nobody,
    /// These models.
    Models {
        /// `provider/model` each.
        ids: Vec<String>,
        /// Address of their server.
        base_url: Option<String>,
    },
    /// Recorded answers from a file.
    Replay(PathBuf),
}

/// How several judges' grades become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AggregateChoice {
    /// Arithmetic mean.
    #[default]
    Mean,
    /// Median.
    Median,
}

/// Report files to write.
#[derive(Clone, Copy, Debug)]
pub struct Formats {
    /// `evaluation_report.json`.
    pub json: bool,
    /// `evaluation_summary.csv`.
    pub csv: bool,
    /// `evaluation_report.md`.
    pub markdown: bool,
}

impl Formats {
    /// All three.
    pub const ALL: Self = Self { json: true, csv: true, markdown: true };
}

/// A scoring to make.
#[derive(Clone, Debug)]
pub struct EvaluateOptions {
    /// The run.
    pub run: RunChoice,
    /// Folder with the logs; `None` means the workspace's.
    pub logs: Option<PathBuf>,
    /// Levels; empty means all.
    pub levels: Vec<Level>,
    /// Judges.
    pub judges: JudgeChoice,
    /// How judges inside the application run.
    pub judge_local: LocalSettings,
    /// Votes of the success judge.
    pub votes: u32,
    /// How grades are joined.
    pub aggregate: AggregateChoice,
    /// Scorers, each with a report of its own.
    pub scorers: Vec<Protocol>,
    /// Whether the reports hold `ProvAcc` and `ReuseRate` too.
    pub all_metrics: bool,
    /// First tasks of each level only.
    pub sample: Option<usize>,
    /// Files to write.
    pub formats: Formats,
    /// Folder for the report's folder; `None` means the workspace's reports.
    pub output: Option<PathBuf>,
    /// Evaluation date to print; `None` means now.
    pub evaluation_date: Option<String>,
    /// What all judges of this scoring together may take.
    pub caps: SpendingCaps,
    /// Where the caps are what several runs have left together: what whoever made them has counted
    /// of this run's scorings.
    pub counted: Option<Amount>,
    /// Judges are asked about the first attempt at each task only, however many the run made.
    pub first_repetition: bool,
    /// Calls in flight of all workers of a cluster together; what suits the server when left out.
    pub concurrency: Option<u32>,
    /// Judges that gave no answer when workers asked them; they are not asked again.
    pub failed: FailedVerdicts,
    /// Whether the judges are asked what they have not answered yet; if not, only what they said
    /// earlier counts.
    pub asks: bool,
    /// Whether judges are asked even where an engine of a cluster does not say whether its workers
    /// are asking them.
    pub without_engine: bool,
}

impl EvaluateOptions {
    /// The published settings for a run, without a judge.
    pub fn published(run: RunChoice) -> Self {
        Self {
            run,
            logs: None,
            levels: Vec::new(),
            judges: JudgeChoice::Nobody,
            judge_local: LocalSettings::default(),
            votes: 3,
            aggregate: AggregateChoice::Mean,
            scorers: vec![Protocol::Leaderboard],
            all_metrics: false,
            sample: None,
            formats: Formats::ALL,
            output: None,
            evaluation_date: None,
            caps: SpendingCaps::default(),
            counted: None,
            first_repetition: false,
            asks: true,
            without_engine: false,
            concurrency: None,
            failed: FailedVerdicts::new(),
        }
    }
}

impl From<EvaluateRequest> for EvaluateOptions {
    fn from(request: EvaluateRequest) -> Self {
        let judges = if request.judges.is_empty() {
            JudgeChoice::Nobody
        } else {
            JudgeChoice::Models { ids: request.judges, base_url: request.judge_base_url }
        };
        Self {
            judges,
            judge_local: request.judge_local.unwrap_or_default(),
            scorers: vec![request.scorer],
            caps: SpendingCaps {
                max_cost: request.max_cost,
                max_total_tokens: request.max_total_tokens,
                ..SpendingCaps::default()
            },
            ..Self::published(RunChoice::Run(request.run))
        }
    }
}

#[cfg(test)]
mod tests;
