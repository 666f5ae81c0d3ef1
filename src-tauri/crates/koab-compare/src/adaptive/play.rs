//! An adaptive run's runs, one after the other, until enough is known.

use super::file::AdaptiveFile;
use super::{Adaptive, AdaptiveSummary, AdaptiveTask};
use crate::Compare;
use crate::scored::{ScoredRuns, Scoring};
use koab_analysis::adaptive::{AdaptiveEstimate, AdaptiveStep};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::ports::{Cancel, EventSink};
use koab_runs::WireError;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How often a task is tried whose attempts end for technical reasons.
const TRIES: u32 = 2;

/// What is known of each task, in the order of the bank.
struct TaskAnswers {
    answers: Vec<Option<bool>>,
    tries: Vec<u32>,
    /// Place of the run that answered.
    runs: Vec<usize>,
}

impl Compare {
    /// Runs the tasks that tell most until the wished width is reached; with what was found comes
    /// why the list of adaptive runs does not have it, where that is so.
    ///
    /// # Errors
    /// When a run cannot begin or is cancelled, or its logs cannot be scored.
    pub async fn play_adaptive(
        &self,
        adaptive: Adaptive,
        watch: &(dyn Fn() -> Arc<dyn EventSink> + Sync),
        cancel: &Cancel,
    ) -> Result<(AdaptiveSummary, Option<Sentence>), WireError> {
        let kept = self.begin_adaptive(&adaptive)?;
        let (played, ended) = self.carry_on(adaptive, kept, watch, cancel).await;
        let missing = |error: WireError| {
            say!("the list of adaptive runs does not have what was found: {}", error.message)
        };
        Ok((played?, ended.err().map(missing)))
    }

    /// The same where its file is there already, and whether that has how it ended: what was found
    /// was paid for and stands without.
    pub(super) async fn carry_on(
        &self,
        adaptive: Adaptive,
        mut kept: AdaptiveFile,
        watch: &(dyn Fn() -> Arc<dyn EventSink> + Sync),
        cancel: &Cancel,
    ) -> (Result<AdaptiveSummary, WireError>, Result<(), WireError>) {
        let played = self.ask(&adaptive, &mut kept, watch, cancel).await;
        let ended = kept.end(&played);
        (played, ended)
    }

    async fn ask(
        &self,
        adaptive: &Adaptive,
        kept: &mut AdaptiveFile,
        watch: &(dyn Fn() -> Arc<dyn EventSink> + Sync),
        cancel: &Cancel,
    ) -> Result<AdaptiveSummary, WireError> {
        let Adaptive { plan, bank, request, .. } = adaptive;
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
        let mut known = TaskAnswers {
            answers: vec![None; bank.tasks.len()],
            tries: vec![0; bank.tasks.len()],
            runs: vec![0; bank.tasks.len()],
        };
        let (estimate, cut) = loop {
            let closed: BTreeSet<usize> =
                (0..known.tries.len()).filter(|item| known.tries[*item] >= TRIES).collect();
            let items = match plan.next_without(&known.answers, &closed) {
                AdaptiveStep::Items(items) => items,
                AdaptiveStep::Done(found) => break (found, None),
            };
            let named = items.iter().map(|item| bank.tasks[*item].clone()).collect();
            let made = runs.make(&request.run, named, 1, watch(), cancel).await;
            if made.is_err() {
                // The run that broke off is one of its runs, and what it and its judges took was
                // spent.
                let so_far = plan.so_far(&known.answers);
                let _ = kept.so_far(&adaptive.summary(&known, so_far, None, runs.usd_and_runs()));
            }
            let Some(found) = made? else {
                let said = say!(
                    "the budget was spent before the wished width; raise the budget in USD or in tokens"
                );
                break (plan.so_far(&known.answers), Some(said));
            };
            let mut is_any = false;
            let last = runs.usd_and_runs().1.len().saturating_sub(1);
            for item in items {
                let score = found.get(&bank.tasks[item]).and_then(|of| of.first().copied().flatten());
                known.answers[item] = score.map(|score| score >= 1.0);
                known.tries[item] += 1;
                known.runs[item] = last;
                is_any |= score.is_some();
            }
            let so_far = plan.so_far(&known.answers);
            // Its end writes the same again, and tells if that cannot be.
            let _ = kept.so_far(&adaptive.summary(&known, so_far, None, runs.usd_and_runs()));
            if !is_any {
                let said = say!(
                    "no task of its last run has a score, so more of them would cost and tell nothing; look at that run"
                );
                break (plan.so_far(&known.answers), Some(said));
            }
        };
        let is_wide = cut.is_none() && estimate.half_width > request.half_width;
        let stopped = cut.or_else(|| {
            let count = adaptive.unscored(&known).len();
            is_wide.then(|| say!("{count} tasks have no score after {TRIES} attempts each, and without them the wished width is out of reach"))
        });
        Ok(adaptive.summary(&known, estimate, stopped, runs.usd_and_runs()))
    }
}

impl Adaptive {
    fn unscored(&self, known: &TaskAnswers) -> Vec<String> {
        let tasks = self.bank.tasks.iter().enumerate();
        tasks
            .filter(|(item, _)| known.tries[*item] > 0 && known.answers[*item].is_none())
            .map(|(_, task)| task.clone())
            .collect()
    }

    fn summary(
        &self,
        known: &TaskAnswers,
        estimate: AdaptiveEstimate,
        stopped: Option<Sentence>,
        (usd, runs): (Option<f64>, Vec<String>),
    ) -> AdaptiveSummary {
        let tasks = self.bank.tasks.iter().enumerate();
        let tasks = tasks.filter_map(|(item, task)| {
            Some(AdaptiveTask {
                task: task.clone(),
                solved: known.answers[item]?,
                run: runs.get(known.runs[item])?.clone(),
            })
        });
        let tasks = tasks.collect();
        AdaptiveSummary { tasks, stopped, unscored: self.unscored(known), usd, runs, ..self.before(estimate) }
    }

    /// What is known before the first task.
    pub(super) fn before(&self, estimate: AdaptiveEstimate) -> AdaptiveSummary {
        AdaptiveSummary {
            metric: self.request.metric.name().to_owned(),
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
