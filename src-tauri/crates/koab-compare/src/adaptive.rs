//! `koab run --adaptive`: runs the most informative tasks until the score of a run of all tasks is
//! known precisely enough.
//!
//! `koab_analysis::adaptive` chooses the tasks and decides when to stop.

mod bank;
mod file;
mod page;
mod play;
#[cfg(test)]
mod tests;

pub use file::AdaptiveView;

use crate::Compare;
use crate::scored::{Face, check_judges};
use bank::Bank;
use koab_analysis::adaptive::{AdaptiveEstimate, AdaptiveOptions, AdaptivePlan};
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_library::RunRequest;
use koab_library::options::JudgeChoice;
use koab_models::LocalSettings;
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Settings of an adaptive run.
#[derive(Clone, Debug)]
pub struct AdaptiveRequest {
    /// Model, pack and settings of the runs.
    pub run: RunRequest,
    /// Metric that is estimated.
    pub metric: MetricId,
    /// Half-width of the estimate's interval at which the run stops, such as 0.03.
    pub half_width: f64,
    /// Judges of the attempts.
    pub judges: JudgeChoice,
    /// Settings of judges that run inside the application.
    pub judge_local: LocalSettings,
}

/// Expected size of an adaptive run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AdaptiveOutlook {
    /// Label of the pack, `name@version`.
    pub pack: String,
    /// Number of tasks of the full run whose score is estimated.
    pub items: usize,
    /// Number of tasks that the adaptive run is expected to need, based on the reports of the
    /// library.
    pub expected: usize,
    /// Models whose reports show how difficult the tasks are.
    pub models: Vec<String>,
}

/// Result of one task that was run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AdaptiveTask {
    /// Task id.
    pub task: String,
    /// Whether the model solved the task.
    pub solved: bool,
    /// Id of the run that contains the attempt; [`AdaptiveSummary`] lists it in `runs`.
    pub run: String,
}

/// Result of an adaptive run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AdaptiveSummary {
    /// Estimated metric.
    pub metric: MetricId,
    /// The model that was run.
    pub model: String,
    /// Label of the pack, `name@version`.
    pub pack: String,
    /// Half-width of the interval that was requested.
    pub wished: f64,
    /// Estimated score of a run of all tasks, with its interval and a sentence.
    #[serde(flatten)]
    pub estimate: AdaptiveEstimate,
    /// Reason why the run ended before the interval was as narrow as requested; null when it
    /// reached the requested width.
    pub stopped: Option<Sentence>,
    /// The tasks that were run and have a score, in the pack's order.
    pub tasks: Vec<AdaptiveTask>,
    /// Tasks without a score, because their attempts ended for technical reasons.
    pub unscored: Vec<String>,
    /// Models whose reports show how difficult the tasks are.
    pub models: Vec<String>,
    /// USD that were spent; null where nothing has a price or the amount is not known.
    pub usd: Option<f64>,
    /// Ids of the runs that were made.
    pub runs: Vec<String>,
}

/// A planned adaptive run.
pub struct Adaptive {
    plan: AdaptivePlan,
    bank: Bank,
    pack: String,
    request: AdaptiveRequest,
}

impl Adaptive {
    /// Expected size of the run.
    pub fn outlook(&self) -> AdaptiveOutlook {
        AdaptiveOutlook {
            pack: self.pack.clone(),
            items: self.bank.tasks.len(),
            expected: self.plan.expected(),
            models: self.bank.models.clone(),
        }
    }
}

impl Compare {
    /// Reads the reports of the library and plans an adaptive run.
    ///
    /// # Errors
    /// When the pack does not exist or has too few reports, when the metric needs a judge and no
    /// judge is named, or when the width is not valid.
    pub fn adaptive(&self, request: AdaptiveRequest) -> Result<Adaptive, WireError> {
        self.adaptive_on(request, Face::CommandLine)
    }

    fn adaptive_on(&self, request: AdaptiveRequest, face: Face) -> Result<Adaptive, WireError> {
        if !request.metric.is_proportion() {
            let metric = request.metric.name();
            return Err(WireError::bad_request(say!(
                "{metric} can be a fraction for a task, and an adaptive run knows only solved and unsolved tasks; choose a metric such as SR"
            )));
        }
        let dry_run = self.runs.dry_run(&request.run, &[])?;
        let kind = self.kind_of(&dry_run.pack)?;
        check_judges(kind, request.metric, &request.judges, face)?;
        let bank = self.bank(&dry_run, request.run.settings.protocol, request.metric)?;
        let options = AdaptiveOptions {
            half_width: request.half_width,
            at_once: AdaptiveOptions::AT_ONCE,
            ..AdaptiveOptions::default()
        };
        let plan = AdaptivePlan::new(&bank.solved, options).map_err(WireError::bad_request)?;
        let run = RunRequest { adaptive: true, ..request.run };
        Ok(Adaptive { plan, bank, pack: dry_run.pack, request: AdaptiveRequest { run, ..request } })
    }
}
