//! Options of a scoring on the command line, which has more of them than the window. The window's
//! requests are converted to these.

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

/// Verdicts without an answer, by the storage key of the answer.
pub type FailedVerdicts = HashMap<[String; 3], Verdict>;

/// Selection of the run to score.
#[derive(Clone, Debug)]
pub enum RunChoice {
    /// A run by id or folder.
    Run(String),
    /// A run by the start of its date and its model, like in the published tool.
    Date {
        /// `YYYYMMDD` or more.
        date: String,
        /// Model id in any spelling.
        model: String,
    },
}

/// Selection of the judges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JudgeChoice {
    /// The judges of the run's last scoring, else the default panel if all its keys are present,
    /// else no judge.
    Default,
    /// No judge: judge metrics stay unscored.
    Nobody,
    /// The given models.
    Models {
        /// `provider/model` each.
        ids: Vec<String>,
        /// Address of the judges' server.
        base_url: Option<String>,
    },
    /// Recorded answers from a file.
    Replay(PathBuf),
}

/// Function that combines several judges' grades.
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
    /// All three files.
    pub const ALL: Self = Self { json: true, csv: true, markdown: true };
}

/// Options of a scoring.
#[derive(Clone, Debug)]
pub struct EvaluateOptions {
    /// The run to score.
    pub run: RunChoice,
    /// Folder with the logs; `None` means the workspace's.
    pub logs: Option<PathBuf>,
    /// Levels to score; empty means all.
    pub levels: Vec<Level>,
    /// Judges of the scoring.
    pub judges: JudgeChoice,
    /// Settings of judges that run inside the application.
    pub judge_local: LocalSettings,
    /// Number of votes of the first judge on SR.
    pub votes: u32,
    /// Function that combines several judges' grades.
    pub aggregate: AggregateChoice,
    /// Scorers, each with its own report.
    pub scorers: Vec<Protocol>,
    /// Whether the reports also contain `ProvAcc` and `ReuseRate`.
    pub all_metrics: bool,
    /// Number of first tasks per level to score; `None` means all.
    pub sample: Option<usize>,
    /// Report files to write.
    pub formats: Formats,
    /// Folder for the report's folder; `None` means the workspace's reports.
    pub output: Option<PathBuf>,
    /// Evaluation date to print; `None` means now.
    pub evaluation_date: Option<String>,
    /// Caps of all judges of this scoring together.
    pub caps: SpendingCaps,
    /// Spending of this run's earlier scorings that the caps already exclude. Set where several
    /// runs share the caps.
    pub counted: Option<Amount>,
    /// Whether judges are asked only about the first attempt at each task.
    pub first_repetition: bool,
    /// Concurrent calls of all workers of a cluster together; `None` means the default.
    pub concurrency: Option<u32>,
    /// Failed answers of judges in the workers' judging; those questions are not asked again.
    pub failed: FailedVerdicts,
    /// Whether judges are called for missing answers. If not, only stored answers count.
    pub asks: bool,
    /// Whether judges are called even where a cluster engine does not report whether its workers
    /// are calling them.
    pub without_engine: bool,
}

impl EvaluateOptions {
    /// Returns the published settings for a run, without a judge.
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
