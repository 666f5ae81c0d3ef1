//! Next step of the gate: more attempts, or the decision.

use super::decision::{GateDecision, GateLook, GateVerdict, decide};
use super::estimate::estimate;
use super::plan::{GatePlan, LEAST_LOOK};
use super::seen::{GateAttempt, GateSeen};
use super::spending::Boundaries;
use koab_core::sentence::Sentence;

/// Maximum number of additional looks, if outcomes spread more than earlier reports suggest.
const MORE_LOOKS: usize = 3;
/// Share of the planned information that counts as all of it.
const FULL_INFORMATION: f64 = 0.98;
/// Minimum growth factor from one look to the next.
const GROWTH: f64 = 1.05;

/// Next step of the gate.
#[derive(Clone, Debug, PartialEq)]
pub enum GateStep {
    /// Attempts that are needed before the next look.
    Attempts(Vec<GateAttempt>),
    /// The gate has its answer.
    Decided(Box<GateDecision>),
}

impl GatePlan {
    /// Decides the next step from all outcomes so far. Requested attempts without an outcome are
    /// requested again.
    pub fn next(&self, seen: &GateSeen) -> GateStep {
        match self.looks(seen) {
            (_, Some(missing)) => GateStep::Attempts(missing),
            (looks, None) => GateStep::Decided(Box::new(decide(self, looks, seen))),
        }
    }

    /// All looks that the outcomes allow, and the attempts that the next look needs.
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
            let Some(current) = estimate(self, seen, &counts) else {
                break;
            };
            let share = 1.0 / current.variance / self.information;
            let is_last = share >= FULL_INFORMATION || is_capped || number >= self.options.looks + MORE_LOOKS;
            let mut information = (1.0 / current.variance).max(reached);
            if is_last {
                information = information.max(reached * GROWTH);
            }
            let boundary = boundaries.next(information, if is_last { 1.0 } else { share });
            if boundary.is_some() {
                reached = information;
            }
            let look = GateLook {
                attempts: self.cost(&counts),
                pairs: current.pairs,
                lost: current.lost,
                share: share.min(1.0),
                difference: current.difference,
                error: current.variance.sqrt(),
                error_at_margin: current.variance_at_margin.sqrt(),
                error_at_none: current.variance_at_none.sqrt(),
                boundary,
            };
            looks.push(look);
            if is_last || look.verdict(self.judged_margin()) != GateVerdict::Inconclusive {
                break;
            }
            let target = (allowed as f64 / share * GROWTH).ceil() as usize;
            let limited = if number < self.options.looks { target.min(allowed + step) } else { target };
            pairs = limited.max((allowed as f64 * GROWTH).ceil() as usize);
        }
        (looks, None)
    }

    /// Inconclusive decision of a gate whose requested attempts cannot be made, with the looks so
    /// far.
    pub fn broken_off(&self, seen: &GateSeen, why: Sentence) -> GateDecision {
        let (looks, _) = self.looks(seen);
        GateDecision {
            verdict: GateVerdict::Inconclusive,
            sentence: why,
            attempts: self.made(seen),
            ..decide(self, looks, seen)
        }
    }

    /// Number of attempts of the gate.
    pub(super) fn made(&self, seen: &GateSeen) -> usize {
        let count = |of: &[Vec<super::GateOutcome>]| of.iter().map(Vec::len).sum::<usize>();
        let total = count(&seen.candidate) + count(&seen.baseline);
        total.saturating_sub(self.at_hand.iter().sum())
    }
}
