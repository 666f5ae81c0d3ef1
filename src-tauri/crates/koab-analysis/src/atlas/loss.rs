//! Losses of an attempt, and points that no model could have reached.
//!
//! Some metrics cannot reach 1 on some tasks for any model (`docs/spec/metrics.md` §11). Points
//! above the best value that the task, the protocol and the scoring allow are *unreachable*. Only
//! points below this value are *lost*.

use super::attempt::{Attempt, injected, wanted};
use koab_core::log::LoggedTask;
use koab_core::protocol::Protocol;
use koab_core::python::truthy;
use koab_core::score::{Matching, MetricId, Score, uncountable};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Reason why a metric cannot reach 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Unreachable {
    /// The metric is a share of calls, and no call was needed or made (L6, L7).
    NoCallNeeded,
    /// The first call to the tool with the injected failure always fails, and the metric counts
    /// this call (L5).
    InjectedFailure,
    /// Fallbacks are offered only in a second conversation (L5, leaderboard).
    SecondConversation,
    /// The golden path itself has more calls than the task's minimum (L3).
    PathBeyondMinimum,
    /// A required tool answers in a form that the metric cannot count (L4).
    UncountedResult,
}

/// Metric of an attempt that is below 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "AtlasLoss"))]
pub struct Loss {
    /// Metric that is below 1.
    pub metric: MetricId,
    /// Score of the metric.
    pub value: f64,
    /// Best reachable score, at most 1.
    pub best: f64,
    /// `best` minus `value`, from 0 to 1.
    pub lost: f64,
    /// Reason why `best` is below 1; null when it is 1.
    pub unreachable: Option<Unreachable>,
}

/// Outcome of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "AtlasState"))]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Every metric that has a score is at 1.
    Clean,
    /// All lost points are unreachable.
    Capped,
    /// Some metric is below its best reachable score, or the attempt failed for a technical reason.
    Lossy,
}

/// Losses of an attempt.
pub struct Losses {
    /// State of the attempt: clean, capped (only points that no model could reach are missing) or
    /// lossy.
    pub state: State,
    /// Metrics below 1, in report order.
    pub all: Vec<Loss>,
    /// Metrics that judges decide and that have no score.
    pub unscored: Vec<MetricId>,
}

/// Metrics that are ignored: the published reports leave them out, and no model can reach 1 with
/// their published formulas (`docs/spec/metrics.md` §11, 13 and 14).
const NOT_COUNTED: [MetricId; 3] = [MetricId::ProvAcc, MetricId::ReuseRate, MetricId::Rrr];

/// Difference of two scores below which the scores count as equal.
const EPSILON: f64 = 1e-9;

impl Losses {
    /// Computes the losses of an attempt.
    pub fn from_attempt(attempt: &Attempt<'_>) -> Self {
        let (mut all, mut unscored) = (Vec::new(), Vec::new());
        let matching = Matching::new(attempt.cx.level, attempt.cx.task);
        for (metric, score) in attempt.scores.iter().filter(|(id, _)| !NOT_COUNTED.contains(id)) {
            let Some(value) = score.value() else {
                if matches!(score, Score::Unscored { .. }) {
                    unscored.push(*metric);
                }
                continue;
            };
            let (best, unreachable) = best(attempt, &matching, *metric, value);
            if value < 1.0 - EPSILON {
                let lost = if value < best - EPSILON { (best - value).min(1.0) } else { 0.0 };
                all.push(Loss { metric: *metric, value, best, lost, unreachable });
            }
        }
        let lost = all.iter().any(|loss| loss.lost > 0.0);
        let state = if lost || technical(attempt) {
            State::Lossy
        } else if all.is_empty() {
            State::Clean
        } else {
            State::Capped
        };
        Self { state, all, unscored }
    }

    pub(super) fn lost_of(&self, metric: MetricId) -> f64 {
        let loss = self.all.iter().find(|loss| loss.metric == metric);
        loss.map_or(0.0, |loss| loss.lost)
    }
}

/// Whether the attempt ended for a reason that gives no information about the model.
pub(super) fn technical(attempt: &Attempt<'_>) -> bool {
    attempt.stop.is_some_and(|stop| stop.is_technical()) || error_of(attempt.cx.task).is_some()
}

/// Error of an attempt that ended without an answer.
pub(super) fn error_of(task: &LoggedTask) -> Option<&str> {
    let error = task.get("error").as_str().filter(|error| !error.is_empty())?;
    let cut_off = truthy(task.get("cut_off"));
    (!truthy(task.get("success")) && !truthy(task.get("final_response")) && !cut_off).then_some(error)
}

/// Best score that any model could reach, with the reason if this score is below 1.
fn best(
    attempt: &Attempt<'_>,
    matching: &Matching,
    metric: MetricId,
    value: f64,
) -> (f64, Option<Unreachable>) {
    let (cx, calls) = (&attempt.cx, &attempt.cx.task.calls);
    let corrected = cx.is_corrected();
    // The tested turn of a conversation asks for information that is already there.
    let none_needed =
        || calls.is_empty() && cx.level.is_multi_turn() && wanted(cx.level, matching).next().is_none();
    let (best, why) = match metric {
        MetricId::EprCvr if none_needed() => (value, Unreachable::NoCallNeeded),
        // The published formula gives 0 without calls, regardless of the verdicts (§11, 10).
        MetricId::EffScore if none_needed() => (value, Unreachable::NoCallNeeded),
        MetricId::EprCvr if !corrected && !calls.is_empty() => {
            let bound = first_failures(cx.task) as f64;
            (1.0 - bound / calls.len() as f64, Unreachable::InjectedFailure)
        }
        MetricId::AdaptiveRoutingScore if attempt.protocol == Protocol::Leaderboard => {
            (0.5, Unreachable::SecondConversation)
        }
        MetricId::DeltaStepsNorm if !corrected => (walked(cx.task), Unreachable::PathBeyondMinimum),
        MetricId::Coverage | MetricId::SourceEpr => {
            let required = distinct_tools(cx.task);
            let lost = uncountable(cx).len() as f64;
            let share = if required == 0 { 1.0 } else { 1.0 - lost / required as f64 };
            (share, Unreachable::UncountedResult)
        }
        _ => return (1.0, None),
    };
    let best = best.max(value).min(1.0);
    (best, (best < 1.0 - EPSILON).then_some(why))
}

/// Number of calls that certainly fail because of the injected failure. They are the calls of the
/// first step that meets the failure.
pub(super) fn first_failures(task: &LoggedTask) -> usize {
    let Some(tool) = injected(task) else { return 0 };
    let failing = || task.calls.iter().filter(|call| call.is_to(tool) && call.failed());
    let Some(first) = failing().next() else { return 0 };
    failing().filter(|call| call.step == first.step).count()
}

/// Score that the golden path itself gets under the published `ΔSteps_norm`.
fn walked(task: &LoggedTask) -> f64 {
    let path = task.list("golden_action").len().max(1) as f64;
    let minimum = task.get("minimum_steps").as_f64().unwrap_or(path);
    if minimum <= 0.0 || path < minimum {
        return 1.0;
    }
    (1.0 - (path - minimum) / minimum).max(0.0)
}

fn distinct_tools(task: &LoggedTask) -> usize {
    let mut tools: Vec<&Value> =
        task.list("golden_action").iter().filter_map(|entry| entry.get("tool")).collect();
    tools.sort_by_key(|tool| tool.as_str());
    tools.dedup();
    tools.len()
}
