//! `koab gate`: makes and scores attempts until it is known whether a change made a model worse.
//!
//! `koab_analysis::gate` decides which attempts are made next and when there are enough.

mod ahead;
mod attempts;
mod baseline;
mod request;
mod sides;
#[cfg(test)]
mod tests;

pub use koab_analysis::gate::{GateOptions, GateSummary, GateVerdict, JudgeFlips, NamedFlips};

use crate::Compare;
use crate::cost::Cost;
use crate::scored::{Face, check_judges, scores};
pub use request::GateRequest;

use ahead::Sides;
use attempts::Attempts;
use baseline::Baseline;
use koab_analysis::gate::{GateDecision, GateNames, GatePlan, GateSeen, GateStep, GateTask};
use koab_core::pack::PackKind;
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_engine::ports::{Cancel, EventSink};
use koab_library::RunRequest;
use koab_library::options::JudgeChoice;
use koab_models::SpendingCaps;
use koab_runs::DryRun;
use koab_workspace::WireError;
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Maximum number of earlier reports that are read to find out where attempts are needed.
const MAX_EARLIER_REPORTS: usize = 60;

/// Expected size and cost of a gate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GateEstimate {
    /// Number of tasks that the gate runs.
    pub tasks: usize,
    /// Number of strata, each with its own number of attempts. A stratum contains tasks on which
    /// models differ, or tasks that nearly all models or nearly no models solve.
    pub strata: usize,
    /// Number of earlier reports that show where attempts are needed.
    pub earlier: usize,
    /// Number of attempts if the gate does not end early.
    pub planned_attempts: usize,
    /// Cost of the planned attempts and of judging them.
    #[serde(flatten)]
    pub cost: Cost,
    /// Number of attempts of a design without interim looks.
    pub fixed_attempts: usize,
    /// Reason why the gate can hardly reach a verdict.
    pub limit: Option<Sentence>,
    /// Number of tasks of the pack that have the metric.
    pub of: usize,
    /// Seed of the order of the tasks.
    pub seed: u64,
    /// Differences between the two sides other than the change, and unknown facts about the sides.
    pub remarks: Vec<Sentence>,
}

/// A planned gate.
pub struct Gate {
    plan: GatePlan,
    baseline: Baseline,
    earlier: usize,
    is_judged: bool,
    request: GateRequest,
    of: usize,
    cost: Cost,
    remarks: Vec<Sentence>,
}

impl Compare {
    /// Reads the baseline and plans the gate.
    ///
    /// # Errors
    /// When the baseline does not exist or cannot be compared with the candidate's runs, the metric
    /// needs a judge and no judge is named, a cap cannot be kept, or no plan can satisfy the
    /// options.
    pub fn gate(&self, request: GateRequest) -> Result<Gate, WireError> {
        // A cap that cannot be kept is refused here, before anything is paid for.
        let estimate = |template: &RunRequest| {
            self.runs.run_estimate(RunRequest {
                levels: request.levels.clone(),
                max_cost: request.max_cost,
                ..template.clone()
            })
        };
        let of_candidate = estimate(&request.candidate)?;
        let kind = self.kind_of(&of_candidate.pack)?;
        check_judges(kind, request.metric, &request.judges, Face::CommandLine)?;
        let judges = match &request.judges {
            JudgeChoice::Models { ids, .. } => ids.clone(),
            JudgeChoice::Default | JudgeChoice::Nobody | JudgeChoice::Replay(_) => Vec::new(),
        };
        let baseline = Baseline::read(&self.runs, &request.baseline, request.metric, &request.levels)?;
        let again = request.again.as_ref().map(estimate).transpose()?;
        let caps = SpendingCaps { max_cost: request.max_cost, ..SpendingCaps::default() };
        self.runs.scoring.check_judge_caps(&judges, &caps)?;
        let of = self.check_tasks(&baseline, &request, &of_candidate)?;
        let judged_run = RunRequest { levels: request.levels.clone(), ..request.candidate.clone() };
        let judge_estimates = self.runs.dry_run(&judged_run, &judges)?.judges;
        let judge_ids: Vec<String> = judge_estimates.iter().map(|one| one.judge.clone()).collect();
        let model = again.as_ref().map(|of| self.runs.library.model_id(&of.model));
        let remarks = sides::check(&baseline, &request, kind, model.as_deref(), &judge_ids)?;
        let (tasks, earlier) = self.tasks(&baseline, &of_candidate.pack, request.metric)?;
        let is_judged = kind.is_judged(request.metric);
        let temperature = request.candidate.settings.temperature.unwrap_or(kind.sampling().0);
        let options = GateOptions {
            is_baseline_open: request.again.is_some(),
            flips: request.options.flips.filter(|_| is_judged),
            // The correction for contradictions of the judge works only for metrics that are yes or
            // no.
            asks_again: is_judged
                && request.metric.is_proportion()
                && request.options.flips.is_none()
                && request.judge_again != Some(0),
            is_repeated: is_judged && temperature == 0.0,
            ..request.options.clone()
        };
        let at_hand = baseline.attempts.iter().map(Vec::len).collect();
        let plan = GatePlan::new(&tasks, at_hand, options.clone()).map_err(WireError::bad_request)?;
        // A gate that no number of attempts can decide begins only with an explicit maximum.
        if let Some(limit) = plan.limit().filter(|_| options.most_attempts.is_none()) {
            return Err(WireError::bad_request(limit));
        }
        let again_asked =
            if options.asks_again { request.judge_again.unwrap_or(plan.answers_to_ask_again()) } else { 0 };
        let sides = Sides { candidate: of_candidate, again, judges: judge_estimates };
        let cost = sides.cost(&plan, again_asked);
        Ok(Gate {
            cost,
            plan,
            baseline,
            earlier,
            is_judged,
            request: GateRequest { options, ..request },
            of,
            remarks,
        })
    }

    /// Kind of the pack that has this label: tasks of Ko-AgentBench, or items of another benchmark.
    pub(crate) fn kind_of(&self, pack: &str) -> Result<PackKind, WireError> {
        let name = self.workspace.pack_of_label(pack)?;
        Ok(self.workspace.load_pack(&name)?.kind)
    }

    /// Number of tasks of the pack that have the metric. Refuses a baseline of another pack, and a
    /// baseline that lacks any of these tasks.
    fn check_tasks(
        &self,
        baseline: &Baseline,
        request: &GateRequest,
        dry_run: &DryRun,
    ) -> Result<usize, WireError> {
        let (name, candidate) = (&request.baseline, &dry_run.pack);
        if let Some(pack) = baseline.pack.as_ref().filter(|pack| *pack != candidate) {
            return Err(WireError::bad_request(say!(
                "the baseline {name} is of the pack {pack}, and the candidate would run {candidate}; choose the same pack with --pack"
            )));
        }
        // The dry run refuses a task that the pack does not have, and names it.
        self.runs.dry_run(
            &RunRequest {
                tasks: baseline.tasks.iter().map(|(_, id)| id.clone()).collect(),
                ..request.candidate.clone()
            },
            &[],
        )?;
        let own = request.metric.level();
        let levels = dry_run.levels.iter().filter(|of| own.as_ref().is_none_or(|level| *level == of.level));
        let of: usize = levels.map(|of| of.tasks as usize).sum();
        let tasks = baseline.tasks.len();
        if tasks < of {
            return Err(WireError::bad_request(say!(
                "the baseline {name} has {tasks} of {of} tasks of {candidate}; take a report of all of them, or name its levels with --levels"
            )));
        }
        Ok(of)
    }

    /// Tasks of the baseline, each with the number of attempts and successes in other reports. Also
    /// returns the number of those reports.
    fn tasks(
        &self,
        baseline: &Baseline,
        pack: &str,
        metric: MetricId,
    ) -> Result<(Vec<GateTask>, usize), WireError> {
        let mut tasks: Vec<GateTask> = baseline
            .tasks
            .iter()
            .map(|(level, id)| GateTask { id: id.clone(), group: level.to_string(), attempts: 0, solved: 0 })
            .collect();
        let mut earlier = 0;
        // The baseline's own report is left out: the tasks that it happened to solve must not
        // decide where it is tried again. Reports of other packs are left out, because equal ids
        // may mean other tasks. A run that was scored twice counts once.
        let mut runs = BTreeSet::new();
        let others = self.runs.library.reports_library()?.into_iter().filter(|row| {
            let is_own =
                Some(&row.id) == baseline.id.as_ref() || (row.run.is_some() && row.run == baseline.run);
            let of_pack = match &row.pack {
                Some(of) => of == pack,
                None => baseline.pack.is_none(),
            };
            let run = row.run.clone().unwrap_or_else(|| format!("{} {}", row.model, row.date));
            !is_own && of_pack && runs.insert(run)
        });
        for row in others.take(MAX_EARLIER_REPORTS) {
            let Ok(open) = self.runs.library.open_report(&row.id) else {
                continue;
            };
            let scores = scores(&open.loaded.report, metric);
            let mut count = 0;
            for task in &mut tasks {
                if let Some(score) = scores.get(task.id.as_str()).copied().flatten() {
                    task.attempts += 1;
                    task.solved += u32::from(score >= 1.0);
                    count += 1;
                }
            }
            earlier += usize::from(count > 0);
        }
        Ok((tasks, earlier))
    }

    /// Makes attempts until the gate has a verdict.
    ///
    /// # Errors
    /// When a run cannot begin or is cancelled, or its logs cannot be scored.
    pub async fn play(
        &self,
        gate: Gate,
        watch: &(dyn Fn() -> Arc<dyn EventSink> + Sync),
        cancel: &Cancel,
    ) -> Result<GateSummary, WireError> {
        self.play_counted(gate, watch, cancel).await.0
    }

    /// Performs the gate like [`Compare::play`] and also returns the USD that were spent, even
    /// after an error. The amount is `None` if it is not known.
    pub async fn play_counted(
        &self,
        gate: Gate,
        watch: &(dyn Fn() -> Arc<dyn EventSink> + Sync),
        cancel: &Cancel,
    ) -> (Result<GateSummary, WireError>, Option<f64>) {
        let Gate { mut plan, baseline, request, earlier, is_judged, of, mut remarks, .. } = gate;
        let mut results = GateSeen::none(baseline.tasks.len());
        results.baseline = baseline.outcomes();
        let mut attempts = Attempts::new(&self.runs, &request, &baseline, is_judged);
        let mut flips = None;
        let result: Result<(GatePlan, GateDecision), WireError> = async {
            attempts.add_baseline(&mut results).await?;
            loop {
                match plan.next(&results) {
                    GateStep::Attempts(attempts_needed) => {
                        if !attempts.make(&attempts_needed, &mut results, watch, cancel).await? {
                            let decision = plan.broken_off(&results, attempts.why_ended());
                            return Ok((plan, decision));
                        }
                        // The judge is asked again before any look, because the result of a look
                        // must not influence how it is tested.
                        if plan.asks_again() {
                            let count = request.judge_again.unwrap_or(plan.answers_to_ask_again());
                            let judge_flips = attempts.ask_again(count, &mut results, cancel).await?;
                            if judge_flips.asked == 0 && count > 0 {
                                remarks.push(say!(
                                    "the judge could not be asked again, so its rate of contradictions is not known and the test does not allow for it"
                                ));
                            }
                            flips = Some(NamedFlips::new(judge_flips, true)).filter(|_| judge_flips.asked > 0);
                            plan = plan.with_flips(judge_flips);
                        }
                    }
                    GateStep::Decided(decision) => return Ok((plan, *decision)),
                }
            }
        }
        .await;
        let spent = attempts.spent();
        let (plan, decision) = match result {
            Ok(decision) => decision,
            Err(error) => return (Err(error), spent),
        };
        let tasks: Vec<String> = baseline.tasks.iter().map(|(_, id)| id.clone()).collect();
        let names = GateNames {
            metric: request.metric,
            baseline: &request.baseline,
            candidate: &request.candidate.model,
            tasks: &tasks,
        };
        let sizes = [plan.planned_attempts(), plan.fixed_attempts()];
        let mut summary = GateSummary::new(decision, names, &request.options, sizes);
        summary.flips = flips.or(summary.flips);
        summary.of = of;
        summary.scorer = baseline.report.scorer.as_str().to_owned();
        summary.earlier = earlier;
        summary.limit = plan.limit();
        summary.remarks = remarks;
        summary.attempts = summary.attempts.max(attempts.made());
        (summary.usd, summary.runs) = attempts.end();
        (Ok(summary), spent)
    }
}

impl Gate {
    /// Expected size and cost of the gate.
    pub fn estimate(&self) -> GateEstimate {
        GateEstimate {
            tasks: self.baseline.tasks.len(),
            strata: self.plan.strata().len(),
            earlier: self.earlier,
            planned_attempts: self.plan.planned_attempts(),
            cost: self.cost,
            fixed_attempts: self.plan.fixed_attempts(),
            limit: self.plan.limit(),
            of: self.of,
            seed: self.request.options.seed,
            remarks: self.remarks.iter().cloned().chain(self.beyond_budget()).collect(),
        }
    }

    /// Remark that the gate is expected to cost more than its cap. The gate begins anyway, because
    /// it may end early.
    fn beyond_budget(&self) -> Option<Sentence> {
        let (cost, most) = self.cost.usd.zip(self.request.max_cost)?;
        (cost > most).then(|| {
            let cost = format!("{cost:.2}");
            say!(
                "the whole gate is expected to cost ${cost}, more than its cap of ${most}: the budget may be spent before the answer is known"
            )
        })
    }
}
