//! What a sweep would take: its runs with what is left of each, and whether its budget allows it.

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

/// What a sweep would take, its finished runs left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SweepPlan {
    /// Its id where it was begun; null where it was not.
    pub id: Option<String>,
    /// Its runs in their order.
    pub runs: Vec<SweepPlanRun>,
    /// Attempts in all.
    pub attempts: u32,
    /// Model calls and judge calls, of those runs that anything is known of.
    pub calls: f64,
    /// USD of both, of the same runs; null where a price is not known.
    pub usd: Option<f64>,
    /// Minutes of the same runs, one after the other.
    pub minutes: f64,
    /// Runs that nothing is known of: where there are any, the sums are the least that it takes.
    pub unknown: u32,
    /// USD that its runs and their judges have spent so far; null where that is not known of one.
    pub spent: Option<f64>,
    /// Whether calls that no server reported come on top of `spent`.
    pub is_spent_least: bool,
    /// Why it cannot begin; null where it can.
    pub refusal: Option<Sentence>,
}

/// A run of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SweepPlanRun {
    /// Label of its cell.
    pub cell: String,
    /// `name@version`.
    pub pack: String,
    /// How far it is.
    pub state: SweepState,
    /// The run in the workspace; null where nothing of it is made.
    pub run: Option<String>,
    /// How its last start ended; null while it goes on, and where it was killed or is new.
    pub outcome: Option<RunOutcome>,
    /// Why it ended early.
    pub reason: Option<Sentence>,
    /// Whether judges are still to be asked about it.
    pub to_judge: bool,
    /// Attempts that are left.
    pub attempts: u32,
    /// Model calls and judge calls that are left; null where nothing is known of them.
    pub calls: Option<f64>,
    /// USD of both; null where that or a price is not known.
    pub usd: Option<f64>,
    /// Minutes; null where nothing is known of them.
    pub minutes: Option<f64>,
}

/// How far a run of a sweep is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum SweepState {
    /// Nothing of it is made.
    New,
    /// Some of it is made.
    Begun,
    /// All of it is made.
    Made,
}

pub(super) fn planned_run(cell: &str, part: &Part, left: Option<&DryRun>) -> SweepPlanRun {
    let found = part.found.as_ref();
    let is_made = found.is_some_and(|made| made.is_complete);
    let Cost { calls, usd, minutes } = match left {
        None => Cost::NOTHING,
        Some(left) if is_made => Cost::of_judges(&left.judges),
        Some(left) => Cost::of_run(left),
    };
    SweepPlanRun {
        cell: cell.to_owned(),
        pack: part.pack.clone(),
        run: found.map(|made| made.id.clone()),
        outcome: found.and_then(|made| made.outcome),
        reason: found.and_then(|made| made.reason.clone()),
        to_judge: part.is_to_judge,
        state: match found {
            None => SweepState::New,
            Some(_) if is_made => SweepState::Made,
            Some(_) => SweepState::Begun,
        },
        attempts: left.filter(|_| !is_made).map_or(0, |left| left.attempts),
        calls,
        usd,
        minutes,
    }
}

/// USD that a run and its judges have taken as far as servers reported it, and at most; a run that
/// says nothing cost nothing.
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

/// Why a cap cannot be kept.
fn refusal(cap: f64, spent: Option<f64>, usd: Option<f64>, unknown: Option<&Part>) -> Option<Sentence> {
    if let Some(part) = unknown {
        let found = part.found.as_ref().map(|made| &made.id);
        let run = found.unwrap_or(&part.request.run);
        return Some(say!(
            "what run {run} and its judges have cost is not known, so that the budget in USD cannot be kept; leave it out"
        ));
    }
    let all = spent.zip(usd).map(|(spent, usd)| spent + usd);
    all.filter(|all| *all > cap).map(|all| {
        let needed = format!("{all:.2}");
        say!(
            "the sweep is expected to cost ${needed} and may cost ${cap}; leave values out, or raise the budget in USD"
        )
    })
}

/// All of it.
pub(super) fn plan(runs: Vec<SweepPlanRun>, parts: &[Part], ledger: &Ledger, file: &SweepFile) -> SweepPlan {
    let (told, most): (Vec<_>, Vec<_>) = parts.iter().map(|part| spent(part, ledger)).unzip();
    let unknown = most.iter().position(Option::is_none).map(|at| &parts[at]);
    let (spent, most): (Option<f64>, Option<f64>) = (told.into_iter().sum(), most.into_iter().sum());
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
    // What is there already is shown whatever it cost.
    let is_done = runs.iter().zip(parts).all(|(run, part)| run.attempts == 0 && !part.is_to_judge);
    let cap = file.max_cost.filter(|_| !is_done);
    let refusal = cap.and_then(|cap| refusal(cap, most, ahead.usd, unknown));
    let mut ended = parts.iter().filter_map(|part| part.found.as_ref());
    SweepPlan {
        id: None,
        attempts: runs.iter().map(|run| run.attempts).sum(),
        calls: ahead.calls,
        usd: ahead.usd,
        minutes: ahead.minutes,
        unknown: ahead.unknown,
        // What a run that was killed by an earlier version spent since its last start stands
        // nowhere.
        spent: spent.filter(|_| ended.all(|made| made.outcome.is_some())),
        is_spent_least: parts.iter().any(is_silent),
        refusal,
        runs,
    }
}
