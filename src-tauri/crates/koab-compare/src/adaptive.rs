//! `koab run --adaptive`: the tasks that tell most are run until what a run of all of them would give is known well enough
//! (`koab_analysis::adaptive` chooses them and says when it is enough).

mod bank;

use crate::Compare;
use crate::scored::{ScoredRuns, Scoring, check_judges};
use bank::Bank;
use koab_analysis::adaptive::{AdaptiveEstimate, AdaptiveOptions, AdaptivePlan, AdaptiveStep};
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_engine::ports::{Cancel, EventSink};
use koab_models::LocalSettings;
use koab_runs::options::JudgeChoice;
use koab_runs::{RunRequest, WireError};
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How often a task is tried whose attempts end for technical reasons.
const TRIES: u32 = 2;

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
#[derive(Clone, Debug, PartialEq, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AdaptiveTask {
    /// Its id.
    pub task: String,
    /// Whether the model solved it.
    pub solved: bool,
}

/// What an adaptive run found.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    /// When there is no such pack, too few reports of it, the metric needs a judge and none is named, or the width is none.
    pub fn adaptive(&self, request: AdaptiveRequest) -> Result<Adaptive, WireError> {
        if !request.metric.is_proportion() {
            let metric = request.metric.name();
            return Err(WireError::bad_request(say!(
                "{metric} can give a part of a task, and an adaptive run knows only tasks that are solved or not; take one such as SR"
            )));
        }
        let planned = self.runs.dry_run(&request.run, &[])?;
        let kind = self.kind_of(&planned.pack)?;
        check_judges(kind, request.metric, &request.judges)?;
        let bank = self.bank(&planned, request.run.protocol, request.metric)?;
        let options = AdaptiveOptions {
            half_width: request.half_width,
            at_once: AdaptiveOptions::AT_ONCE,
            ..AdaptiveOptions::default()
        };
        let plan = AdaptivePlan::new(&bank.solved, options).map_err(WireError::bad_request)?;
        let run = RunRequest {
            adaptive: true,
            ..request.run
        };
        Ok(Adaptive {
            plan,
            bank,
            pack: planned.pack,
            request: AdaptiveRequest { run, ..request },
        })
    }

    /// Runs the tasks that tell most until the wished width is reached.
    ///
    /// # Errors
    /// When a run cannot begin or is cancelled, or its logs cannot be scored.
    pub async fn play_adaptive(
        &self,
        adaptive: Adaptive,
        watch: &(dyn Fn() -> Arc<dyn EventSink> + Sync),
        cancel: &Cancel,
    ) -> Result<AdaptiveSummary, WireError> {
        let Adaptive {
            plan,
            bank,
            pack,
            request,
        } = adaptive;
        let how = Scoring {
            name: "adaptive",
            metric: request.metric,
            scorer: request.run.protocol,
            judges: &request.judges,
            judge_local: request.judge_local.clone(),
            caps: request.run.caps(),
            cancelled: say!("the adaptive run was cancelled; its runs so far are kept"),
        };
        let mut runs = ScoredRuns::new(&self.runs, how);
        let mut answers: Vec<Option<bool>> = vec![None; bank.tasks.len()];
        let mut tries = vec![0; bank.tasks.len()];
        let (estimate, cut) = loop {
            let closed: BTreeSet<usize> = (0..tries.len()).filter(|item| tries[*item] >= TRIES).collect();
            let items = match plan.next_without(&answers, &closed) {
                AdaptiveStep::Items(items) => items,
                AdaptiveStep::Done(found) => break (found, None),
            };
            let named = items.iter().map(|item| bank.tasks[*item].clone()).collect();
            let Some(found) = runs.make(&request.run, named, 1, watch(), cancel).await? else {
                let said = say!(
                    "the budget was spent before the wished width; allow more with --max-cost or --max-total-tokens"
                );
                break (plan.so_far(&answers), Some(said));
            };
            let mut is_any = false;
            for item in items {
                let score = found
                    .get(&bank.tasks[item])
                    .and_then(|of| of.first().copied().flatten());
                answers[item] = score.map(|score| score >= 1.0);
                tries[item] += 1;
                is_any |= score.is_some();
            }
            if !is_any {
                let said = say!(
                    "no task of its last run has a score, so more of them would cost and tell nothing; look at that run"
                );
                break (plan.so_far(&answers), Some(said));
            }
        };
        let unscored: Vec<String> = bank
            .tasks
            .iter()
            .enumerate()
            .filter(|(item, _)| tries[*item] > 0 && answers[*item].is_none())
            .map(|(_, task)| task.clone())
            .collect();
        let is_wide = cut.is_none() && estimate.half_width > request.half_width;
        let stopped = cut.or_else(|| {
            let count = unscored.len();
            is_wide.then(|| say!("{count} tasks have no score after {TRIES} attempts each, and without them the wished width is out of reach"))
        });
        let tasks = bank.tasks.iter().zip(&answers);
        let tasks = tasks.filter_map(|(task, solved)| {
            Some(AdaptiveTask {
                task: task.clone(),
                solved: (*solved)?,
            })
        });
        let tasks = tasks.collect();
        let (usd, made) = runs.end();
        Ok(AdaptiveSummary {
            metric: request.metric.name().to_owned(),
            model: request.run.model,
            pack,
            wished: request.half_width,
            estimate,
            stopped,
            tasks,
            unscored,
            models: bank.models,
            usd,
            runs: made,
        })
    }
}
