//! Decision of the gate, with a sentence that explains it.

use super::flips::JudgeFlips;
use super::plan::{GatePlan, LEAST_LOOK};
use super::seen::{FlakyTask, GateSeen};
use koab_core::sentence::Sentence;
use koab_core::{say, shown};
use serde::{Deserialize, Serialize};

/// Maximum share of pairs without a score with which the gate still decides. Attempts without a
/// score are rarely a random selection.
const MAX_LOST_SHARE: f64 = 0.1;
/// Maximum share of pairs without a score in a pass, divided by the margin. Even if all of these
/// pairs were losses, half of the margin would remain.
const MAX_LOST_SHARE_OF_MARGIN: f64 = 0.5;

/// Answer of the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateVerdict {
    /// The candidate is not worse than the baseline by the margin or more.
    Pass,
    /// The candidate is worse than the baseline.
    Fail,
    /// The outcomes show neither a pass nor a fail.
    Inconclusive,
}

/// Look: an interim analysis of a gate's outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateLook {
    /// Number of attempts up to this look, on both sides together.
    pub attempts: usize,
    /// Number of pairs.
    pub pairs: usize,
    /// Number of pairs without a score on at least one side.
    pub lost: usize,
    /// Share of the planned information that is available at this look.
    pub share: f64,
    /// Mean of the candidate minus mean of the baseline.
    pub difference: f64,
    /// Standard error of the difference.
    pub error: f64,
    /// Standard error if the true loss were the margin. The test for a pass uses it.
    pub error_at_margin: f64,
    /// Standard error if there were no true loss. The test for a fail uses it.
    pub error_at_none: f64,
    /// Number of standard errors that a decision requires at this look; null if too little has
    /// happened since the previous look.
    pub boundary: Option<f64>,
}

impl GateLook {
    /// Verdict of the look. `margin` is the loss that a pass has to exclude.
    pub(super) fn verdict(&self, margin: f64) -> GateVerdict {
        let Some(boundary) = self.boundary else {
            return GateVerdict::Inconclusive;
        };
        if self.difference + margin >= boundary * self.error_at_margin {
            GateVerdict::Pass
        } else if self.difference <= -boundary * self.error_at_none {
            GateVerdict::Fail
        } else {
            GateVerdict::Inconclusive
        }
    }
}

/// Decision of the gate with its evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateDecision {
    /// Pass, fail, or inconclusive.
    pub verdict: GateVerdict,
    /// Explanation of the verdict.
    pub sentence: Sentence,
    /// Mean of the candidate minus mean of the baseline; null if no look was possible.
    pub difference: Option<f64>,
    /// Ends of the repeated confidence interval of the difference (Jennison, Turnbull 1984), at
    /// level `1 − 2 · alpha`. The level is valid for any number of looks.
    pub interval: Option<[f64; 2]>,
    /// All looks, in order.
    pub looks: Vec<GateLook>,
    /// Number of attempts of the gate, on both sides together.
    pub attempts: usize,
    /// Tasks that the candidate solved only sometimes, or whose verdict changes when the judge is
    /// asked again.
    pub flaky: Vec<FlakyTask>,
}

/// Decides from the last look.
pub(super) fn decide(plan: &GatePlan, looks: Vec<GateLook>, seen: &GateSeen) -> GateDecision {
    let Some(last) = looks.last().copied() else {
        let tasks = plan.tasks;
        let attempts = plan.made(seen);
        let outcomes = seen.candidate.iter().chain(&seen.baseline).flatten();
        let lost = outcomes.filter(|one| one.score.is_none()).count();
        let sentence = if lost > 0 {
            say!(
                "inconclusive: {lost} of {attempts} attempts have no score, and a stratum of the {tasks} tasks has no score at all; look at the runs"
            )
        } else {
            say!(
                "inconclusive: a first look needs at least {LEAST_LOOK} pairs of scored attempts, and two in every stratum of the {tasks} tasks; allow more attempts"
            )
        };
        return GateDecision {
            verdict: GateVerdict::Inconclusive,
            sentence,
            difference: None,
            interval: None,
            looks,
            attempts,
            flaky: seen.flaky(),
        };
    };
    let margin = plan.options.margin;
    let by_look = last.verdict(plan.judged_margin());
    // A candidate that times out on tasks that it would fail must not pass because of that.
    let most_lost = if by_look == GateVerdict::Pass {
        MAX_LOST_SHARE.min(margin * MAX_LOST_SHARE_OF_MARGIN)
    } else {
        MAX_LOST_SHARE
    };
    let is_lossy = last.lost as f64 > most_lost * last.pairs as f64;
    let verdict = if is_lossy { GateVerdict::Inconclusive } else { by_look };
    // The end that decides the verdict is the one that was tested.
    let widening = plan.options.flips.map_or(1.0, JudgeFlips::widening);
    let interval = last.boundary.map(|boundary| {
        let low = last.difference - boundary * last.error_at_margin;
        let high = last.difference + boundary * last.error_at_none;
        // The judge's errors may have shrunk the difference more than the estimate corrects.
        [low.min(low * widening).max(-1.0), high.max(high * widening).min(1.0)]
    });
    let found = {
        let difference = shown::difference(Some(last.difference));
        let [low, high] = interval.unwrap_or([-1.0, 1.0]).map(|end| shown::difference(Some(end)));
        let attempts = last.attempts;
        let (level, tasks) = (level(plan.options.alpha), plan.tasks);
        say!(
            "difference {difference}, {level} interval {low} to {high}, {attempts} attempts at {tasks} tasks"
        )
    };
    let points = shown::difference(Some(-margin));
    let (lost, pairs) = (last.lost, last.pairs);
    let sentence = match verdict {
        GateVerdict::Pass => say!("pass: the candidate is not worse by the margin of {points} ({found})"),
        GateVerdict::Fail => say!("fail: the candidate is worse than the baseline ({found})"),
        GateVerdict::Inconclusive if is_lossy => {
            say!("inconclusive: {lost} of {pairs} pairs of attempts have no score ({found})")
        }
        GateVerdict::Inconclusive if plan.options.is_repeated => say!(
            "inconclusive: a loss is not shown, and a loss beyond the margin of {points} is not ruled out ({found}); at temperature 0 more attempts at the same tasks tell nothing new, so take a wider margin"
        ),
        GateVerdict::Inconclusive => say!(
            "inconclusive: a loss is not shown, and a loss beyond the margin of {points} is not ruled out ({found}); allow more attempts or a wider margin"
        ),
    };
    GateDecision {
        verdict,
        sentence,
        difference: Some(last.difference),
        interval,
        attempts: last.attempts,
        looks,
        flaky: seen.flaky(),
    }
}

/// Confidence level of the interval, in percent.
pub(super) fn level(alpha: f64) -> String {
    let percent = shown::fixed(100.0 * (1.0 - 2.0 * alpha), 2);
    let percent = percent.trim_end_matches('0').trim_end_matches('.');
    format!("{percent} %")
}
