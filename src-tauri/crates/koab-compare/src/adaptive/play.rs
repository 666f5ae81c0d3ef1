//! Performs an adaptive run: makes runs one after the other until the estimate is precise enough.

use super::file::AdaptiveFile;
use super::{Adaptive, AdaptiveSummary, AdaptiveTask};
use crate::Compare;
use crate::scored::{ScoredRuns, Scoring};
use koab_analysis::adaptive::{AdaptiveEstimate, AdaptiveStep};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::ports::{Cancel, EventSink};
use koab_workspace::WireError;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Maximum number of attempts at a task whose attempts end for technical reasons.
const TRIES: u32 = 2;

/// Answers and attempts of each task, in the order of the bank.
struct TaskAnswers {
    answers: Vec<Option<bool>>,
    tries: Vec<u32>,
    /// Position of the run that contains the answer, for each task.
    runs: Vec<usize>,
}

impl Compare {
    /// Runs the most informative tasks until the interval of the estimate is as narrow as
    /// requested. Returns the result, and a warning if its file could not be written.
    ///
    /// Without the file, the list of adaptive runs lacks the result.
    ///
    /// # Errors
    /// When a run cannot begin or is cancelled, or its logs cannot be scored.
    pub async fn play_adaptive(
        &self,
        adaptive: Adaptive,
        watch: &(dyn Fn() -> Arc<dyn EventSink> + Sync),
        cancel: &Cancel,
    ) -> Result<(AdaptiveSummary, Option<Sentence>), WireError> {
        let file = self.begin_adaptive(&adaptive)?;
        let (result, saved) = self.carry_on(adaptive, file, watch, cancel).await;
        let missing = |error: WireError| {
            say!("the result could not be saved in the list of adaptive runs: {}", error.message)
        };
        Ok((result?, saved.err().map(missing)))
    }

    /// Performs an adaptive run whose file exists. Returns the result and, separately, the error of
    /// writing the file.
    ///
    /// The result was paid for, so it is returned even if it could not be written.
    pub(super) async fn carry_on(
        &self,
        adaptive: Adaptive,
        mut file: AdaptiveFile,
        watch: &(dyn Fn() -> Arc<dyn EventSink> + Sync),
        cancel: &Cancel,
    ) -> (Result<AdaptiveSummary, WireError>, Result<(), WireError>) {
        let result = self.ask(&adaptive, &mut file, watch, cancel).await;
        let saved = file.end(&result);
        (result, saved)
    }

    async fn ask(
        &self,
        adaptive: &Adaptive,
        file: &mut AdaptiveFile,
        watch: &(dyn Fn() -> Arc<dyn EventSink> + Sync),
        cancel: &Cancel,
    ) -> Result<AdaptiveSummary, WireError> {
        let Adaptive { plan, bank, request, .. } = adaptive;
        let how = Scoring {
            name: "adaptive",
            metric: request.metric,
            scorer: request.run.settings.protocol,
            judges: &request.judges,
            judge_local: request.judge_local.clone(),
            caps: request.run.caps(),
            cancelled: say!("the adaptive run was cancelled; its runs so far are kept"),
        };
        let mut runs = ScoredRuns::new(&self.runs, how);
        let mut state = TaskAnswers {
            answers: vec![None; bank.tasks.len()],
            tries: vec![0; bank.tasks.len()],
            runs: vec![0; bank.tasks.len()],
        };
        let (estimate, cut) = loop {
            let closed: BTreeSet<usize> =
                (0..state.tries.len()).filter(|item| state.tries[*item] >= TRIES).collect();
            let items = match plan.next_without(&state.answers, &closed) {
                AdaptiveStep::Items(items) => items,
                AdaptiveStep::Done(estimate) => break (estimate, None),
            };
            let ids = items.iter().map(|item| bank.tasks[*item].clone()).collect();
            let scores = runs.make(&request.run, ids, 1, watch(), cancel).await;
            if scores.is_err() {
                // The interrupted run counts, and so does what it and its judges have spent.
                let so_far = plan.so_far(&state.answers);
                let _ = file.so_far(&adaptive.summary(&state, so_far, None, runs.usd_and_runs()));
            }
            let Some(scores) = scores? else {
                let reason = say!(
                    "the budget was spent before the interval had the requested width; raise the budget in USD or in tokens"
                );
                break (plan.so_far(&state.answers), Some(reason));
            };
            let mut is_any = false;
            let last = runs.usd_and_runs().1.len().saturating_sub(1);
            for item in items {
                let score = scores.get(&bank.tasks[item]).and_then(|of| of.first().copied().flatten());
                state.answers[item] = score.map(|score| score >= 1.0);
                state.tries[item] += 1;
                state.runs[item] = last;
                is_any |= score.is_some();
            }
            let so_far = plan.so_far(&state.answers);
            // `AdaptiveFile::end` writes the same again and reports an error.
            let _ = file.so_far(&adaptive.summary(&state, so_far, None, runs.usd_and_runs()));
            if !is_any {
                let reason = say!(
                    "no task of the last run has a score, so more tasks would cost money without a result; look at that run"
                );
                break (plan.so_far(&state.answers), Some(reason));
            }
        };
        let is_wide = cut.is_none() && estimate.half_width > request.half_width;
        let stopped = cut.or_else(|| {
            let count = adaptive.unscored(&state).len();
            is_wide.then(|| say!("{count} tasks have no score after {TRIES} attempts each, and without them the interval cannot reach the requested width"))
        });
        Ok(adaptive.summary(&state, estimate, stopped, runs.usd_and_runs()))
    }
}

impl Adaptive {
    fn unscored(&self, state: &TaskAnswers) -> Vec<String> {
        let tasks = self.bank.tasks.iter().enumerate();
        tasks
            .filter(|(item, _)| state.tries[*item] > 0 && state.answers[*item].is_none())
            .map(|(_, task)| task.clone())
            .collect()
    }

    fn summary(
        &self,
        state: &TaskAnswers,
        estimate: AdaptiveEstimate,
        stopped: Option<Sentence>,
        (usd, runs): (Option<f64>, Vec<String>),
    ) -> AdaptiveSummary {
        let tasks = self.bank.tasks.iter().enumerate();
        let tasks = tasks.filter_map(|(item, task)| {
            Some(AdaptiveTask {
                task: task.clone(),
                solved: state.answers[item]?,
                run: runs.get(state.runs[item])?.clone(),
            })
        });
        let tasks = tasks.collect();
        AdaptiveSummary { tasks, stopped, unscored: self.unscored(state), usd, runs, ..self.before(estimate) }
    }

    /// Summary of an adaptive run before its first task.
    pub(super) fn before(&self, estimate: AdaptiveEstimate) -> AdaptiveSummary {
        AdaptiveSummary {
            metric: self.request.metric,
            model: self.request.run.model.clone(),
            pack: self.pack.clone(),
            wished: self.request.half_width,
            estimate,
            stopped: None,
            tasks: Vec::new(),
            unscored: Vec::new(),
            models: self.bank.models.clone(),
            usd: None,
            runs: Vec::new(),
        }
    }
}
