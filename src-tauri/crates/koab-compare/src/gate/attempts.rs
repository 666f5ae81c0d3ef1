//! Makes the attempts that a gate asks for: a run for all tasks that need as many, scored as the baseline was.

use super::baseline::{Baseline, attempts, scores};
use super::request::GateRequest;
use koab_analysis::gate::{GateAttempt, GateOutcome, GateSeen, GateSide};
use koab_core::event::RunOutcome;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_engine::ports::{Cancel, EventSink};
use koab_report::repetitions::Repetitions;
use koab_runs::options::{EvaluateOptions, RunChoice, SpendingCaps};
use koab_runs::{RunRequest, Runs, WireError};
use koab_store::report_files;
use koab_workspace::ErrorCode;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The attempts of a gate.
pub(super) struct Attempts<'a> {
    runs: &'a Runs,
    request: &'a GateRequest,
    baseline: &'a Baseline,
    usd: Option<f64>,
    made: Vec<String>,
}

impl<'a> Attempts<'a> {
    pub(super) fn new(runs: &'a Runs, request: &'a GateRequest, baseline: &'a Baseline) -> Self {
        Self {
            runs,
            request,
            baseline,
            usd: None,
            made: Vec::new(),
        }
    }

    /// USD and runs.
    pub(super) fn end(self) -> (Option<f64>, Vec<String>) {
        (self.usd, self.made)
    }

    /// Makes all of them; whether the budget was enough.
    pub(super) async fn make(
        &mut self,
        wanted: &[GateAttempt],
        seen: &mut GateSeen,
        watch: &(dyn Fn() -> Arc<dyn EventSink> + Sync),
        cancel: &Cancel,
    ) -> Result<bool, WireError> {
        let mut times: BTreeMap<GateAttempt, u32> = BTreeMap::new();
        for attempt in wanted {
            *times.entry(*attempt).or_default() += 1;
        }
        let mut groups: BTreeMap<(GateSide, u32), Vec<usize>> = BTreeMap::new();
        for (attempt, times) in times {
            groups
                .entry((attempt.side, times))
                .or_default()
                .push(attempt.task);
        }
        for ((side, repetitions), tasks) in groups {
            let template = match side {
                GateSide::Candidate => Some(&self.request.candidate),
                GateSide::Baseline => self.request.again.as_ref(),
            };
            let Some(template) = template else { continue };
            let Some(found) = self.run(template, &tasks, repetitions, watch(), cancel).await? else {
                return Ok(false);
            };
            for task in tasks {
                let of_task = found.get(&self.baseline.tasks[task].1);
                for at in 0..repetitions as usize {
                    let outcome = of_task.and_then(|of| of.get(at).copied());
                    let none = GateOutcome {
                        score: None,
                        answer: None,
                    };
                    seen.add(GateAttempt { task, side }, outcome.unwrap_or(none));
                }
            }
        }
        Ok(true)
    }

    /// Makes and scores one run: the attempts by task, or nothing where the budget ended it.
    async fn run(
        &mut self,
        template: &RunRequest,
        tasks: &[usize],
        repetitions: u32,
        sink: Arc<dyn EventSink>,
        cancel: &Cancel,
    ) -> Result<Option<BTreeMap<String, Vec<GateOutcome>>>, WireError> {
        let left = self
            .request
            .max_cost
            .map(|most| (most - self.usd.unwrap_or(0.0)).max(0.0));
        let request = RunRequest {
            run: format!("gate-{}", self.made.len()),
            tasks: tasks
                .iter()
                .map(|task| self.baseline.tasks[*task].1.clone())
                .collect(),
            levels: Vec::new(),
            repetitions,
            max_cost: left,
            ..template.clone()
        };
        let end = self.runs.run(request, sink, cancel.clone()).await?;
        let folder = end.folder.clone().unwrap_or_default();
        self.made.push(folder.clone());
        self.spend(end.spending.as_ref().and_then(|spending| spending.usd));
        match end.outcome {
            RunOutcome::Completed => {}
            RunOutcome::BudgetSpent => return Ok(None),
            RunOutcome::Cancelled => {
                return Err(WireError::new(
                    ErrorCode::Cancelled,
                    say!("the gate was cancelled; its runs so far are kept"),
                ));
            }
            RunOutcome::Failed => return Err(WireError::internal(end.reason.unwrap_or_default())),
        }
        let metric = self.request.metric;
        let scorer = self.baseline.scorer;
        let mut scorers = vec![scorer];
        // The published rules count a technical failure as a wrong answer, which would cry wolf at every broken connection.
        if end.failed > 0 && scorer == Protocol::Leaderboard {
            scorers.push(Protocol::Corrected);
        }
        let options = EvaluateOptions {
            judges: self.request.judges.clone(),
            scorers,
            caps: SpendingCaps {
                max_cost: self
                    .request
                    .max_cost
                    .map(|most| (most - self.usd.unwrap_or(0.0)).max(0.0)),
                ..SpendingCaps::default()
            },
            ..EvaluateOptions::published(RunChoice::Run(folder))
        };
        let scored = self.runs.evaluate(options, &|_, _| {}, cancel).await?;
        self.spend(scored.spending.as_ref().and_then(|spending| spending.usd));
        if scored.stopped {
            return Ok(None);
        }
        let open = |at: usize| match scored.reports.get(at) {
            Some(view) => self.runs.open_report(&view.id).map(Some),
            None => Ok(None),
        };
        let Some(report) = open(0)? else {
            return Ok(Some(BTreeMap::new()));
        };
        let kept = report_files::read_repetitions::<Repetitions>(&report.folder.folder)?;
        let mut found = attempts(&report.loaded.report, kept.as_ref(), metric);
        if let (None, Some(corrected)) = (&kept, open(1)?) {
            let known = scores(&corrected.loaded.report, metric);
            found.retain(|task, _| known.get(task.as_str()).copied().flatten().is_some());
        }
        Ok(Some(found))
    }

    fn spend(&mut self, usd: Option<f64>) {
        if let Some(usd) = usd {
            *self.usd.get_or_insert(0.0) += usd;
        }
    }
}
