//! `koab gate`: attempts are made, scored and looked at until it is known whether a change made a
//! model worse (`koab_analysis::gate` decides what is tried next, and when it is enough).

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
use koab_runs::options::{JudgeChoice, SpendingCaps};
use koab_runs::{DryRun, RunRequest, WireError};
use serde::Serialize;
use std::collections::BTreeSet;
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
    /// What these and their judges take.
    #[serde(flatten)]
    pub cost: Cost,
    /// Attempts that a design without looks takes.
    pub fixed_attempts: usize,
    /// Why it can hardly find an answer.
    pub limit: Option<Sentence>,
    /// Tasks of the pack that have the metric.
    pub of: usize,
    /// Seed of the order of the tasks.
    pub seed: u64,
    /// What differs between the sides beside the change, or is not known of them.
    pub remarks: Vec<Sentence>,
}

/// A gate that can begin.
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
    /// When there is no such baseline, it cannot be compared with the candidate's runs, the metric
    /// needs a judge and none is named, a cap cannot be kept, or something is asked that has no
    /// answer.
    pub fn gate(&self, request: GateRequest) -> Result<Gate, WireError> {
        // Asked before anything is paid for: a cap that cannot be kept is refused here.
        let planned = |template: &RunRequest| {
            self.runs.run_estimate(RunRequest {
                levels: request.levels.clone(),
                max_cost: request.max_cost,
                ..template.clone()
            })
        };
        let of_candidate = planned(&request.candidate)?;
        let kind = self.kind_of(&of_candidate.pack)?;
        check_judges(kind, request.metric, &request.judges, Face::CommandLine)?;
        let judges = match &request.judges {
            JudgeChoice::Models { ids, .. } => ids.clone(),
            JudgeChoice::Default | JudgeChoice::Nobody | JudgeChoice::Replay(_) => Vec::new(),
        };
        let baseline = Baseline::read(&self.runs, &request.baseline, request.metric, &request.levels)?;
        let again = request.again.as_ref().map(planned).transpose()?;
        let caps = SpendingCaps { max_cost: request.max_cost, ..SpendingCaps::default() };
        self.runs.scoring.check_judge_caps(&judges, &caps)?;
        let of = self.check_tasks(&baseline, &request, &of_candidate)?;
        let judged = RunRequest { levels: request.levels.clone(), ..request.candidate.clone() };
        let judged = self.runs.dry_run(&judged, &judges)?.judges;
        let asked: Vec<String> = judged.iter().map(|one| one.judge.clone()).collect();
        let model = again.as_ref().map(|of| self.runs.library.model_id(&of.model));
        let remarks = sides::check(&baseline, &request, kind, model.as_deref(), &asked)?;
        let (tasks, earlier) = self.tasks(&baseline, &of_candidate.pack, request.metric)?;
        let is_judged = kind.is_judged(request.metric);
        let temperature = request.candidate.temperature.unwrap_or(kind.sampling().0);
        let options = GateOptions {
            is_baseline_open: request.again.is_some(),
            flips: request.options.flips.filter(|_| is_judged),
            // A metric that gives parts of a task is not undone by how often its parts differ.
            asks_again: is_judged
                && request.metric.is_proportion()
                && request.options.flips.is_none()
                && request.judge_again != Some(0),
            is_repeated: is_judged && temperature == 0.0,
            ..request.options.clone()
        };
        let at_hand = baseline.attempts.iter().map(Vec::len).collect();
        let plan = GatePlan::new(&tasks, at_hand, options.clone()).map_err(WireError::bad_request)?;
        // What no number of attempts can tell is begun only by who says how many to make all the
        // same.
        if let Some(limit) = plan.limit().filter(|_| options.most_attempts.is_none()) {
            return Err(WireError::bad_request(limit));
        }
        let again_asked = match options.asks_again {
            true => request.judge_again.unwrap_or(plan.answers_to_ask_again()),
            false => 0,
        };
        let sides = Sides { candidate: of_candidate, again, judges: judged };
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

    /// How attempts at a pack's tasks are made.
    pub(crate) fn kind_of(&self, pack: &str) -> Result<PackKind, WireError> {
        let name = self.workspace.pack_of_label(pack)?;
        Ok(self.workspace.load_pack(&name)?.kind)
    }

    /// The pack's tasks that have the metric, all of which the baseline has to have.
    fn check_tasks(
        &self,
        baseline: &Baseline,
        request: &GateRequest,
        planned: &DryRun,
    ) -> Result<usize, WireError> {
        let (name, candidate) = (&request.baseline, &planned.pack);
        if let Some(pack) = baseline.pack.as_ref().filter(|pack| *pack != candidate) {
            return Err(WireError::bad_request(say!(
                "the baseline {name} is of the pack {pack}, and the candidate would run {candidate}; choose the same pack with --pack"
            )));
        }
        // A task that the pack has not is refused by its name.
        self.runs.dry_run(
            &RunRequest {
                tasks: baseline.tasks.iter().map(|(_, id)| id.clone()).collect(),
                ..request.candidate.clone()
            },
            &[],
        )?;
        let own = request.metric.level();
        let levels = planned.levels.iter().filter(|of| own.is_none_or(|level| level == of.level));
        let of: usize = levels.map(|of| of.tasks as usize).sum();
        let tasks = baseline.tasks.len();
        if tasks < of {
            return Err(WireError::bad_request(say!(
                "the baseline {name} has {tasks} of {of} tasks of {candidate}; take a report of all of them, or name its levels with --levels"
            )));
        }
        Ok(of)
    }

    /// The baseline's tasks with what other reports of the same tasks solved, and how many reports
    /// those are.
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
        // What the baseline happened to solve must not decide where it is tried again. Ids of
        // another pack may be the same and its tasks others; of a run that was scored twice one
        // report counts.
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
        for row in others.take(MOST_EARLIER) {
            let Ok(open) = self.runs.library.open_report(&row.id) else {
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
        self.play_counted(gate, watch, cancel).await.0
    }

    /// The same, and USD that are gone whatever came of it; nothing where that is not known.
    pub async fn play_counted(
        &self,
        gate: Gate,
        watch: &(dyn Fn() -> Arc<dyn EventSink> + Sync),
        cancel: &Cancel,
    ) -> (Result<GateSummary, WireError>, Option<f64>) {
        let Gate { mut plan, baseline, request, earlier, is_judged, of, mut remarks, .. } = gate;
        let mut seen = GateSeen::none(baseline.tasks.len());
        seen.baseline = baseline.outcomes();
        let mut attempts = Attempts::new(&self.runs, &request, &baseline, is_judged);
        let mut flips = None;
        let decided: Result<(GatePlan, GateDecision), WireError> = async {
            attempts.add_baseline(&mut seen).await?;
            loop {
                match plan.next(&seen) {
                    GateStep::Attempts(wanted) => {
                        if !attempts.make(&wanted, &mut seen, watch, cancel).await? {
                            let decision = plan.broken_off(&seen, attempts.why_ended());
                            return Ok((plan, decision));
                        }
                        // Before any look: what a look finds must not decide how it is looked at.
                        if plan.asks_again() {
                            let count = request.judge_again.unwrap_or(plan.answers_to_ask_again());
                            let found = attempts.ask_again(count, &mut seen, cancel).await?;
                            if found.asked == 0 && count > 0 {
                                remarks.push(say!(
                                    "the judge could not be asked again, so how often it contradicts itself is not known and not allowed for"
                                ));
                            }
                            flips = Some(NamedFlips::new(found, true)).filter(|_| found.asked > 0);
                            plan = plan.with_flips(found);
                        }
                    }
                    GateStep::Decided(decision) => return Ok((plan, *decision)),
                }
            }
        }
        .await;
        let spent = attempts.spent();
        let (plan, decision) = match decided {
            Ok(decided) => decided,
            Err(error) => return (Err(error), spent),
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
    /// What it would take.
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

    /// That it is expected to cost more than it may: it begins all the same, as it may end early.
    fn beyond_budget(&self) -> Option<Sentence> {
        let (cost, most) = self.cost.usd.zip(self.request.max_cost)?;
        (cost > most).then(|| {
            let cost = format!("{cost:.2}");
            say!(
                "to its end it is expected to cost ${cost} and may cost ${most}: the budget may be spent before the answer is known"
            )
        })
    }
}
