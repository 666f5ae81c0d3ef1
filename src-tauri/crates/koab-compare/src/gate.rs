//! `koab gate`: attempts are made, scored and looked at until it is known whether a change made a model worse
//! (`koab_analysis::gate` decides what is tried next, and when it is enough).

mod attempts;
mod baseline;
mod request;

pub use koab_analysis::gate::{GateOptions, GateSummary, GateVerdict, JudgeFlips};

use crate::Compare;
use crate::scored::{check_judges, scores};
pub use request::GateRequest;

use attempts::Attempts;
use baseline::Baseline;
use koab_analysis::gate::{GateDecision, GateNames, GatePlan, GateSeen, GateStep, GateTask};
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_engine::ports::{Cancel, EventSink};
use koab_runs::WireError;
use serde::Serialize;
use std::sync::Arc;

/// Reports whose solved tasks say where attempts are needed.
const MOST_EARLIER: usize = 60;

/// What a gate would take.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GateEstimate {
    /// Tasks.
    pub tasks: usize,
    /// Parts among which attempts are shared out.
    pub strata: usize,
    /// Earlier reports that say where attempts are needed.
    pub earlier: usize,
    /// Attempts if it goes to its end.
    pub planned_attempts: usize,
    /// Attempts that a design without looks takes.
    pub fixed_attempts: usize,
    /// Why it can hardly find an answer.
    pub limit: Option<Sentence>,
}

/// A gate that can begin.
pub struct Gate {
    plan: GatePlan,
    baseline: Baseline,
    earlier: usize,
    request: GateRequest,
}

impl Compare {
    /// Reads the baseline and plans the gate.
    ///
    /// # Errors
    /// When there is no such baseline, it is of another pack, the metric needs a judge and none is named, or something is
    /// asked that has no answer.
    pub fn gate(&self, request: GateRequest) -> Result<Gate, WireError> {
        check_judges(request.metric, &request.judges)?;
        let baseline = Baseline::read(&self.runs, &request.baseline, request.metric)?;
        let of_candidate = self.runs.dry_run(&request.candidate, &[])?;
        if let Some(pack) = baseline.pack.as_ref().filter(|pack| **pack != of_candidate.pack) {
            let (name, candidate) = (&request.baseline, of_candidate.pack);
            return Err(WireError::bad_request(say!(
                "the baseline {name} is of the pack {pack}, and the candidate would run {candidate}; choose the same pack with --pack"
            )));
        }
        let (tasks, earlier) = self.tasks(&baseline, request.metric)?;
        let options = GateOptions {
            is_baseline_open: request.again.is_some(),
            ..request.options.clone()
        };
        let at_hand = baseline.outcomes.iter().map(Vec::len).collect();
        let plan = GatePlan::new(&tasks, at_hand, options).map_err(WireError::bad_request)?;
        Ok(Gate {
            plan,
            baseline,
            earlier,
            request,
        })
    }

    /// The baseline's tasks with what other reports of the same tasks solved, and how many reports those are.
    fn tasks(&self, baseline: &Baseline, metric: MetricId) -> Result<(Vec<GateTask>, usize), WireError> {
        let mut tasks: Vec<GateTask> = baseline
            .tasks
            .iter()
            .map(|(level, id)| GateTask {
                id: id.clone(),
                group: level.to_string(),
                attempts: 0,
                solved: 0,
            })
            .collect();
        let mut earlier = 0;
        // What the baseline happened to solve must not decide where it is tried again.
        let others = self.runs.reports_library()?.into_iter().filter(|row| {
            Some(&row.id) != baseline.report.as_ref() && (row.run.is_none() || row.run != baseline.run)
        });
        for row in others.take(MOST_EARLIER) {
            let Ok(open) = self.runs.open_report(&row.id) else {
                continue;
            };
            let scores = scores(&open.loaded.report, metric);
            let mut known = 0;
            for task in &mut tasks {
                if let Some(score) = scores.get(task.id.as_str()).copied().flatten() {
                    task.attempts += 1;
                    task.solved += u32::from(score >= 1.0);
                    known += 1;
                }
            }
            earlier += usize::from(known > 0);
        }
        Ok((tasks, earlier))
    }

    /// Makes attempts until the answer is known.
    ///
    /// # Errors
    /// When a run cannot begin or is cancelled, or its logs cannot be scored.
    pub async fn play(
        &self,
        gate: Gate,
        watch: &(dyn Fn() -> Arc<dyn EventSink> + Sync),
        cancel: &Cancel,
    ) -> Result<GateSummary, WireError> {
        let Gate {
            plan,
            baseline,
            request,
            ..
        } = gate;
        let mut seen = GateSeen::none(baseline.tasks.len());
        seen.baseline.clone_from(&baseline.outcomes);
        let mut attempts = Attempts::new(&self.runs, &request, &baseline);
        let decision: GateDecision = loop {
            match plan.next(&seen) {
                GateStep::Attempts(wanted) => {
                    if !attempts.make(&wanted, &mut seen, watch, cancel).await? {
                        break plan.broken_off(&seen, say!(
                            "inconclusive: the budget was spent before the answer was known; allow more with --max-cost"
                        ));
                    }
                }
                GateStep::Decided(decision) => break *decision,
            }
        };
        let tasks: Vec<String> = baseline.tasks.iter().map(|(_, id)| id.clone()).collect();
        let names = GateNames {
            metric: request.metric.name(),
            baseline: &request.baseline,
            candidate: &request.candidate.model,
            tasks: &tasks,
        };
        let sizes = [plan.planned_attempts(), plan.fixed_attempts()];
        let mut summary = GateSummary::new(decision, names, &request.options, sizes);
        (summary.usd, summary.runs) = attempts.end();
        Ok(summary)
    }
}

impl Gate {
    /// What it would take.
    pub fn estimate(&self) -> GateEstimate {
        GateEstimate {
            tasks: self.baseline.tasks.len(),
            strata: self.plan.strata().len(),
            earlier: self.earlier,
            planned_attempts: self.plan.planned_attempts(),
            fixed_attempts: self.plan.fixed_attempts(),
            limit: self.plan.limit(),
        }
    }
}
