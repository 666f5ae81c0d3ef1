//! Options of a scoring. The command line uses all of them, and the smaller requests of the window
//! are converted to these options.

use crate::wire::EvaluateRequest;
use koab_core::judge::Verdict;
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_engine::ports::Amount;
use koab_models::{LocalSettings, SpendingCaps};
use std::collections::HashMap;
use std::path::PathBuf;

/// Failed verdicts of judges, by the storage key of the answer.
pub type FailedVerdicts = HashMap<[String; 3], Verdict>;

/// Selection of the run to score.
#[derive(Clone, Debug)]
pub enum RunChoice {
    /// A run by id or folder.
    Run(String),
    /// The run of a model whose date has this beginning, as in the published tool.
    Date {
        /// Beginning of the date: `YYYYMMDD` or more.
        date: String,
        /// Model id in any notation.
        model: String,
    },
}

/// Selection of the judges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JudgeChoice {
    /// The judges of the run's last scoring. Without an earlier scoring, the default panel if all
    /// its keys are present, otherwise no judge.
    Default,
    /// No judge. Judge metrics remain unscored.
    Nobody,
    /// Models that are called as judges.
    Models {
        /// Ids of the models, each `provider/model`.
        ids: Vec<String>,
        /// Address of the judges' server.
        base_url: Option<String>,
    },
    /// Recorded answers from a file, in place of calls to judges.
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
    /// Folder with the logs; `None` means the logs of the workspace.
    pub logs: Option<PathBuf>,
    /// Levels to score; empty means all.
    pub levels: Vec<Level>,
    /// Judges of the scoring.
    pub judges: JudgeChoice,
    /// Settings of judges that run inside the application.
    pub judge_local: LocalSettings,
    /// Number of votes that the first judge gives on SR.
    pub votes: u32,
    /// Function that combines several judges' grades.
    pub aggregate: AggregateChoice,
    /// Scorers, each with its own report.
    pub scorers: Vec<Protocol>,
    /// Whether the reports also contain `ProvAcc` and `ReuseRate`.
    pub all_metrics: bool,
    /// Number of tasks to score per level, from the first; `None` means all.
    pub sample: Option<usize>,
    /// Report files to write.
    pub formats: Formats,
    /// Parent folder of the report's folder; `None` means the reports folder of the workspace.
    pub output: Option<PathBuf>,
    /// Evaluation date that the report contains; `None` means now.
    pub evaluation_date: Option<String>,
    /// Caps on the spending of all judges of this scoring together.
    pub caps: SpendingCaps,
    /// Spending of earlier scorings of this run that the caps already take into account. Set if
    /// several runs share the caps.
    pub counted: Option<Amount>,
    /// Whether judges are asked only about the first attempt at each task.
    pub first_repetition: bool,
    /// Maximum number of concurrent calls of all workers of a cluster together; `None` means the
    /// default.
    pub concurrency: Option<u32>,
    /// Failed answers that workers of a cluster received from judges. Their questions are not asked
    /// again.
    pub failed: FailedVerdicts,
    /// Whether judges are called for missing answers. If not, only stored answers are used.
    pub asks: bool,
    /// Whether judges are called even if a cluster engine does not answer whether its workers are
    /// calling them.
    pub without_engine: bool,
}

impl EvaluateOptions {
    /// Returns the published settings for scoring a run without judges.
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
