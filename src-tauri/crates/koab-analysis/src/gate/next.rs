//! What comes next: more attempts, or the answer.

use super::decision::{GateDecision, GateLook, GateVerdict, decide};
use super::estimate::estimate;
use super::plan::{GatePlan, LEAST_LOOK};
use super::seen::{GateAttempt, GateSeen};
use super::spending::Boundaries;
use koab_core::sentence::Sentence;

/// Looks beyond the planned ones, where outcomes spread more than earlier reports let expect.
const MORE_LOOKS: usize = 3;
/// A share of the wanted information that is as good as all.
const ENOUGH: f64 = 0.98;
/// Looks grow by at least this factor.
const GROWTH: f64 = 1.05;

/// What comes next.
#[derive(Clone, Debug, PartialEq)]
pub enum GateStep {
    /// These attempts are needed before the next look.
    Attempts(Vec<GateAttempt>),
    /// The answer.
    Decided(Box<GateDecision>),
}

impl GatePlan {
    /// What comes next, from all outcomes so far. Attempts that are asked for and have no outcome
    /// yet are asked for again.
    pub fn next(&self, seen: &GateSeen) -> GateStep {
        match self.looks(seen) {
            (_, Some(missing)) => GateStep::Attempts(missing),
            (looks, None) => GateStep::Decided(Box::new(decide(self, looks, seen))),
        }
    }

    /// All looks that the outcomes allow, and the attempts that the next one needs.
    fn looks(&self, seen: &GateSeen) -> (Vec<GateLook>, Option<Vec<GateAttempt>>) {
        let mut boundaries = Boundaries::new(self.options.spent());
        let mut looks: Vec<GateLook> = Vec::new();
        let mut reached = 0.0f64;
        let step = self.step();
        let mut pairs = step;
        for number in 1.. {
            let (allowed, is_capped) = self.allowed(pairs);
            let counts = self.counts(allowed);
            let most = self.options.most_attempts.unwrap_or(usize::MAX);
            if self.cost(&counts) > most || counts.iter().sum::<usize>() < LEAST_LOOK {
                break;
            }
            let missing = self.missing(&counts, seen);
            if !missing.is_empty() {
                return (looks, Some(missing));
            }
            let Some(found) = estimate(self, seen, &counts) else {
                break;
            };
            let share = 1.0 / found.variance / self.information;
            let is_last = share >= ENOUGH || is_capped || number >= self.options.looks + MORE_LOOKS;
            let mut information = (1.0 / found.variance).max(reached);
            if is_last {
                information = information.max(reached * GROWTH);
            }
            let boundary = boundaries.next(information, if is_last { 1.0 } else { share });
            if boundary.is_some() {
                reached = information;
            }
            let look = GateLook {
                attempts: self.cost(&counts),
                pairs: found.pairs,
                lost: found.lost,
                share: share.min(1.0),
                difference: found.difference,
                error: found.variance.sqrt(),
                error_at_margin: found.variance_at_margin.sqrt(),
                error_at_none: found.variance_at_none.sqrt(),
                boundary,
            };
            looks.push(look);
            if is_last || look.verdict(self.judged_margin()) != GateVerdict::Inconclusive {
                break;
            }
            let wanted = (allowed as f64 / share * GROWTH).ceil() as usize;
            let planned = if number < self.options.looks { wanted.min(allowed + step) } else { wanted };
            pairs = planned.max((allowed as f64 * GROWTH).ceil() as usize);
        }
        (looks, None)
    }

    /// The answer where attempts that were asked for cannot be made: none, with the looks that
    /// there were.
    pub fn broken_off(&self, seen: &GateSeen, why: Sentence) -> GateDecision {
        let (looks, _) = self.looks(seen);
        GateDecision {
            verdict: GateVerdict::Inconclusive,
            sentence: why,
            attempts: self.made(seen),
            ..decide(self, looks, seen)
        }
    }

    /// Attempts that were made for the gate.
    pub(super) fn made(&self, seen: &GateSeen) -> usize {
        let count = |of: &[Vec<super::GateOutcome>]| of.iter().map(Vec::len).sum::<usize>();
        let made = count(&seen.candidate) + count(&seen.baseline);
        made.saturating_sub(self.at_hand.iter().sum())
    }
}
