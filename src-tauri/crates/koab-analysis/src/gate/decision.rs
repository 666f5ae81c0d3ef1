//! The gate's answer, and the sentence why.

use super::flips::JudgeFlips;
use super::plan::{GatePlan, LEAST_LOOK};
use super::seen::{FlakyTask, GateSeen};
use koab_core::sentence::Sentence;
use koab_core::{say, shown};
use serde::{Deserialize, Serialize};

/// More pairs without a score than this share leave the answer open: what cannot be scored is
/// hardly drawn at random.
const MOST_LOST: f64 = 0.1;
/// A pass bears fewer: were all of them losses, this share of the margin would be used up.
const LOST_OF_MARGIN: f64 = 0.5;

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateVerdict {
    /// The candidate is not worse by the margin.
    Pass,
    /// The candidate is worse.
    Fail,
    /// Neither is shown.
    Inconclusive,
}

/// A look at the outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateLook {
    /// Attempts that were made for it, all together.
    pub attempts: usize,
    /// Its pairs.
    pub pairs: usize,
    /// Pairs of which a side has no score.
    pub lost: usize,
    /// Share of the information that the plan wants.
    pub share: f64,
    /// Candidate less baseline.
    pub difference: f64,
    /// Standard error.
    pub error: f64,
    /// The same, were the loss the margin; what a pass is tested at.
    pub error_at_margin: f64,
    /// The same, were there no loss; what a fail is tested at.
    pub error_at_none: f64,
    /// How many standard errors an answer takes at this look; null where it is too near the one
    /// before.
    pub boundary: Option<f64>,
}

impl GateLook {
    /// What the look says; the margin is the one that a pass is tested at.
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

/// The answer with what it rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateDecision {
    /// Pass, fail, or neither.
    pub verdict: GateVerdict,
    /// Why.
    pub sentence: Sentence,
    /// Candidate less baseline; null where no look was possible.
    pub difference: Option<f64>,
    /// The ends of its repeated confidence interval, which holds however often one looks (Jennison,
    /// Turnbull 1984), at one less twice `alpha`.
    pub interval: Option<[f64; 2]>,
    /// All looks.
    pub looks: Vec<GateLook>,
    /// Attempts that were made for the gate, both sides together.
    pub attempts: usize,
    /// Tasks that the candidate solved sometimes, or whose verdict flips.
    pub flaky: Vec<FlakyTask>,
}

/// The answer of the last look.
pub(super) fn decide(plan: &GatePlan, looks: Vec<GateLook>, seen: &GateSeen) -> GateDecision {
    let Some(last) = looks.last().copied() else {
        let tasks = plan.tasks;
        let attempts = plan.made(seen);
        let made = seen.candidate.iter().chain(&seen.baseline).flatten();
        let lost = made.filter(|one| one.score.is_none()).count();
        let sentence = if lost > 0 {
            say!(
                "inconclusive: {lost} of {attempts} attempts have no score, and some part of the {tasks} tasks has none at all; look at the runs"
            )
        } else {
            say!(
                "inconclusive: a first look needs at least {LEAST_LOOK} pairs of scored attempts, and two in every part of the {tasks} tasks; allow more attempts"
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
    let found = last.verdict(plan.judged_margin());
    // Who times out at what it would have got wrong must not pass by it.
    let most_lost =
        if found == GateVerdict::Pass { MOST_LOST.min(margin * LOST_OF_MARGIN) } else { MOST_LOST };
    let is_lossy = last.lost as f64 > most_lost * last.pairs as f64;
    let verdict = if is_lossy { GateVerdict::Inconclusive } else { found };
    // The end that the answer hangs on is the one that was tested.
    let widening = plan.options.flips.map_or(1.0, JudgeFlips::widening);
    let interval = last.boundary.map(|boundary| {
        let low = last.difference - boundary * last.error_at_margin;
        let high = last.difference + boundary * last.error_at_none;
        // What the judge may have drawn together more than is undone lies further from 0.
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
            "inconclusive: neither a loss nor that it is within the margin of {points} is shown ({found}); at temperature 0 more attempts at the same tasks tell nothing new, so take a wider margin"
        ),
        GateVerdict::Inconclusive => say!(
            "inconclusive: neither a loss nor that it is within the margin of {points} is shown ({found}); allow more attempts or a wider margin"
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

/// The level of the interval, in percent.
pub(super) fn level(alpha: f64) -> String {
    let percent = shown::fixed(100.0 * (1.0 - 2.0 * alpha), 2);
    let percent = percent.trim_end_matches('0').trim_end_matches('.');
    format!("{percent} %")
}
