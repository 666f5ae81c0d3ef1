//! Makes the attempts that a gate asks for: a run for all tasks that need as many, scored as the baseline was.

use super::baseline::Baseline;
use super::request::GateRequest;
use crate::scored::{ScoredRuns, Scoring};
use koab_analysis::gate::{GateAttempt, GateOutcome, GateSeen, GateSide};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::ports::{Cancel, EventSink};
use koab_models::LocalSettings;
use koab_runs::options::SpendingCaps;
use koab_runs::{Runs, WireError};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The attempts of a gate.
pub(super) struct Attempts<'a> {
    request: &'a GateRequest,
    baseline: &'a Baseline,
    runs: ScoredRuns<'a>,
}

impl<'a> Attempts<'a> {
    pub(super) fn new(runs: &'a Runs, request: &'a GateRequest, baseline: &'a Baseline) -> Self {
        let how = Scoring {
            name: "gate",
            metric: request.metric,
            scorer: baseline.report.scorer,
            judges: &request.judges,
            judge_local: LocalSettings::default(),
            caps: SpendingCaps {
                max_cost: request.max_cost,
                ..SpendingCaps::default()
            },
            cancelled: say!(
                "the gate was cancelled; its runs so far are kept, and a gate that is started again begins anew"
            ),
        };
        Self {
            request,
            baseline,
            runs: ScoredRuns::new(runs, how),
        }
    }

    /// Attempts that ended, those of a run that a cap ended among them.
    pub(super) fn made(&self) -> usize {
        self.runs.attempts()
    }

    /// Why no more are made.
    pub(super) fn why_ended(&self) -> Sentence {
        if self.runs.is_open() {
            return say!(
                "inconclusive: a server did not report its tokens, so that --max-cost could not be kept any further; leave it out and cap with --max-attempts"
            );
        }
        say!("inconclusive: the budget was spent before the answer was known; allow more with --max-cost")
    }

    /// USD and runs.
    pub(super) fn end(self) -> (Option<f64>, Vec<String>) {
        self.runs.end()
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
        let name = |task: &usize| self.baseline.tasks[*task].1.clone();
        for ((side, repetitions), tasks) in groups {
            let template = match side {
                GateSide::Candidate => Some(&self.request.candidate),
                GateSide::Baseline => self.request.again.as_ref(),
            };
            let Some(template) = template else { continue };
            let named = tasks.iter().map(name).collect();
            let made = self.runs.make(template, named, repetitions, watch(), cancel);
            let Some(found) = made.await? else {
                return Ok(false);
            };
            for task in tasks {
                let of_task = found.get(&name(&task));
                for at in 0..repetitions as usize {
                    let score = of_task.and_then(|of| of.get(at).copied().flatten());
                    let outcome = GateOutcome { score, answer: None };
                    seen.add(GateAttempt { task, side }, outcome);
                }
            }
        }
        Ok(true)
    }
}
