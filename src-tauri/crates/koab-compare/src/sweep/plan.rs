//! Plan of a sweep: its runs, the work that remains for each run, and whether the budget suffices.

use super::file::SweepFile;
use super::ledger::Ledger;
use super::part::Part;
use crate::cost::{Cost, CostSum};
use koab_core::event::RunOutcome;
use koab_core::run_record::Spending;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_runs::DryRun;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Plan of a sweep. Finished runs count as done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SweepPlan {
    /// Id of the sweep; null if it was never started.
    pub id: Option<String>,
    /// Runs in their order.
    pub runs: Vec<SweepPlanRun>,
    /// Number of attempts that remain.
    pub attempts: u32,
    /// Number of model calls and judge calls that remain, over runs with an estimate.
    pub calls: f64,
    /// USD of the calls that remain; null where a price is not known.
    pub usd: Option<f64>,
    /// Minutes that the runs with an estimate take, one after the other.
    pub minutes: f64,
    /// Number of runs without an estimate. If it is not 0, the sums are lower bounds.
    pub unknown: u32,
    /// USD that runs and judges have spent so far; null if the amount of a run is not known.
    pub spent: Option<f64>,
    /// Whether `spent` is a lower bound, because servers did not report the usage of some calls.
    pub is_spent_least: bool,
    /// Reason why the sweep cannot begin; null if it can.
    pub refusal: Option<Sentence>,
}

/// A run in the plan of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SweepPlanRun {
    /// Label of the run's cell.
    pub cell: String,
    /// Label of the pack, `name@version`.
    pub pack: String,
    /// Progress of the run.
    pub state: SweepState,
    /// Id of the run in the workspace; null if the run does not exist yet.
    pub run: Option<String>,
    /// Outcome of the run's last start; null while it is running, when it was killed, and for a new
    /// run.
    pub outcome: Option<RunOutcome>,
    /// Reason why the run ended early.
    pub reason: Option<Sentence>,
    /// Whether judges must still judge the run.
    pub to_judge: bool,
    /// Number of attempts that remain.
    pub attempts: u32,
    /// Number of model calls and judge calls that remain; null where not known.
    pub calls: Option<f64>,
    /// USD of the calls that remain; null where the calls or a price are not known.
    pub usd: Option<f64>,
    /// Minutes that remain; null where not known.
    pub minutes: Option<f64>,
}

/// Progress of a run of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum SweepState {
    /// The run does not exist yet.
    New,
    /// Some attempts have ended.
    Begun,
    /// All attempts have ended.
    Made,
}

pub(super) fn planned_run(cell: &str, part: &Part, dry_run: Option<&DryRun>) -> SweepPlanRun {
    let run = part.found.as_ref();
    let is_made = run.is_some_and(|made| made.is_complete);
    let Cost { calls, usd, minutes } = match dry_run {
        None => Cost::NOTHING,
        Some(dry_run) if is_made => Cost::of_judges(&dry_run.judges),
        Some(dry_run) => Cost::of_run(dry_run),
    };
    SweepPlanRun {
        cell: cell.to_owned(),
        pack: part.pack.clone(),
        run: run.map(|run| run.id.clone()),
        outcome: run.and_then(|made| made.outcome),
        reason: run.and_then(|made| made.reason.clone()),
        to_judge: part.is_to_judge,
        state: match run {
            None => SweepState::New,
            Some(_) if is_made => SweepState::Made,
            Some(_) => SweepState::Begun,
        },
        attempts: dry_run.filter(|_| !is_made).map_or(0, |dry_run| dry_run.attempts),
        calls,
        usd,
        minutes,
    }
}

/// USD that a run and its judges have spent: the amount that servers reported, and the greatest
/// possible amount. A run without recorded spending cost nothing.
fn spent(part: &Part, ledger: &Ledger) -> (Option<f64>, Option<f64>) {
    let usd = |spending: &Spending| (spending.usd, spending.most().usd);
    let nothing = (Some(0.0), Some(0.0));
    let run = part.found.as_ref().and_then(|made| made.spending.as_ref());
    let run = run.map_or(nothing, usd);
    let judging = ledger.of(&part.request.run).map(|judging| &judging.all);
    let judging = judging.filter(|all| all.is_asked()).map_or(nothing, usd);
    let sum = |one: Option<f64>, more: Option<f64>| one.zip(more).map(|(one, more)| one + more);
    (sum(run.0, judging.0), sum(run.1, judging.1))
}

/// Reason why the sweep cannot stay within a cap; `None` if it can.
fn refusal(cap: f64, spent: Option<f64>, usd: Option<f64>, unknown: Option<&Part>) -> Option<Sentence> {
    if let Some(part) = unknown {
        let id = part.found.as_ref().map(|made| &made.id);
        let run = id.unwrap_or(&part.request.run);
        return Some(say!(
            "the cost of run {run} and its judges is not known, so that the budget in USD cannot be enforced; leave the budget out"
        ));
    }
    let all = spent.zip(usd).map(|(spent, usd)| spent + usd);
    all.filter(|all| *all > cap).map(|all| {
        let needed = format!("{all:.2}");
        say!(
            "the sweep is expected to cost ${needed}, more than its budget of ${cap}; leave values out, or raise the budget in USD"
        )
    })
}

/// Builds the plan of a sweep from its runs.
pub(super) fn plan(runs: Vec<SweepPlanRun>, parts: &[Part], ledger: &Ledger, file: &SweepFile) -> SweepPlan {
    let (reported, most): (Vec<_>, Vec<_>) = parts.iter().map(|part| spent(part, ledger)).unzip();
    let unknown = most.iter().position(Option::is_none).map(|at| &parts[at]);
    let (spent, most): (Option<f64>, Option<f64>) = (reported.into_iter().sum(), most.into_iter().sum());
    let ahead = CostSum::from_costs(runs.iter().map(|run| Cost {
        calls: run.calls,
        usd: run.usd,
        minutes: run.minutes,
    }));
    let is_silent = |part: &Part| {
        let run = part.found.as_ref().and_then(|made| made.spending.as_ref());
        let judging = ledger.of(&part.request.run).map(|judging| &judging.all);
        let mut both = run.into_iter().chain(judging);
        both.any(|spending| spending.calls_without_usage > 0)
    };
    // A sweep that is complete is shown even if it cost more than its cap.
    let is_done = runs.iter().zip(parts).all(|(run, part)| run.attempts == 0 && !part.is_to_judge);
    let cap = file.max_cost.filter(|_| !is_done);
    let refusal = cap.and_then(|cap| refusal(cap, most, ahead.usd, unknown));
    let mut runs_made = parts.iter().filter_map(|part| part.found.as_ref());
    SweepPlan {
        id: None,
        attempts: runs.iter().map(|run| run.attempts).sum(),
        calls: ahead.calls,
        usd: ahead.usd,
        minutes: ahead.minutes,
        unknown: ahead.unknown,
        // A run that an earlier version made and that was killed has not recorded its spending
        // since its last start.
        spent: spent.filter(|_| runs_made.all(|made| made.outcome.is_some())),
        is_spent_least: parts.iter().any(is_silent),
        refusal,
        runs,
    }
}
