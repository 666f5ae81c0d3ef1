//! `koab run --adaptive`: the tasks that tell most are run until what a run of all of them would
//! give is known well enough (`koab_analysis::adaptive` chooses them and says when it is enough).

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
use koab_models::LocalSettings;
use koab_runs::options::JudgeChoice;
use koab_runs::{RunRequest, WireError};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What is to be known.
#[derive(Clone, Debug)]
pub struct AdaptiveRequest {
    /// How the model is run.
    pub run: RunRequest,
    /// Which metric is estimated.
    pub metric: MetricId,
    /// Half the width of the interval at which it is enough, such as 0.03.
    pub half_width: f64,
    /// Who judges.
    pub judges: JudgeChoice,
    /// How judges inside the application run.
    pub judge_local: LocalSettings,
}

/// What an adaptive run would take.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AdaptiveOutlook {
    /// `name@version`.
    pub pack: String,
    /// Tasks of the run that is estimated.
    pub items: usize,
    /// Tasks that it is expected to take, by the reports at hand.
    pub expected: usize,
    /// Models whose reports say how hard the tasks are.
    pub models: Vec<String>,
}

/// A task that was run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AdaptiveTask {
    /// Its id.
    pub task: String,
    /// Whether the model solved it.
    pub solved: bool,
    /// The run that has the attempt, as in `runs` of the summary.
    pub run: String,
}

/// What an adaptive run found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AdaptiveSummary {
    /// Name of the metric.
    pub metric: String,
    /// The model that was run.
    pub model: String,
    /// `name@version`.
    pub pack: String,
    /// The half width that was wished for.
    pub wished: f64,
    /// What a run of all tasks is estimated at, how sure, and in words.
    #[serde(flatten)]
    pub estimate: AdaptiveEstimate,
    /// Why it ended before the wished width; null where it did not.
    pub stopped: Option<Sentence>,
    /// The tasks that were run, in the pack's order.
    pub tasks: Vec<AdaptiveTask>,
    /// Tasks that were run and have no score, as their attempts ended for technical reasons.
    pub unscored: Vec<String>,
    /// Models whose reports say how hard the tasks are.
    pub models: Vec<String>,
    /// USD that were spent; null where nothing costs or it is not known.
    pub usd: Option<f64>,
    /// The runs that were made.
    pub runs: Vec<String>,
}

/// An adaptive run that can begin.
pub struct Adaptive {
    plan: AdaptivePlan,
    bank: Bank,
    pack: String,
    request: AdaptiveRequest,
}

impl Adaptive {
    /// What it would take.
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
    /// Reads the reports at hand and plans an adaptive run.
    ///
    /// # Errors
    /// When there is no such pack, too few reports of it, the metric needs a judge and none is
    /// named, or the width is none.
    pub fn adaptive(&self, request: AdaptiveRequest) -> Result<Adaptive, WireError> {
        self.adaptive_on(request, Face::CommandLine)
    }

    fn adaptive_on(&self, request: AdaptiveRequest, face: Face) -> Result<Adaptive, WireError> {
        if !request.metric.is_proportion() {
            let metric = request.metric.name();
            return Err(WireError::bad_request(say!(
                "{metric} can give a part of a task, and an adaptive run knows only tasks that are solved or not; take one such as SR"
            )));
        }
        let planned = self.runs.dry_run(&request.run, &[])?;
        let kind = self.kind_of(&planned.pack)?;
        check_judges(kind, request.metric, &request.judges, face)?;
        let bank = self.bank(&planned, request.run.protocol, request.metric)?;
        let options = AdaptiveOptions {
            half_width: request.half_width,
            at_once: AdaptiveOptions::AT_ONCE,
            ..AdaptiveOptions::default()
        };
        let plan = AdaptivePlan::new(&bank.solved, options).map_err(WireError::bad_request)?;
        let run = RunRequest { adaptive: true, ..request.run };
        Ok(Adaptive { plan, bank, pack: planned.pack, request: AdaptiveRequest { run, ..request } })
    }
}
