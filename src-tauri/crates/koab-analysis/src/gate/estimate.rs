//! The difference of the two sides by the pairs so far, and how sure it is.

use super::flips::JudgeFlips;
use super::options::GateOptions;
use super::parts::{Part, Parts};
use super::plan::GatePlan;
use super::seen::{GateOutcome, GateSeen, GateSide};
use std::collections::BTreeMap;

/// The difference, and what it rests on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Estimate {
    /// Candidate less baseline, over the pack's tasks.
    pub(super) difference: f64,
    /// As it looks, were the loss the margin, and were there none.
    pub(super) variance: f64,
    pub(super) variance_at_margin: f64,
    pub(super) variance_at_none: f64,
    pub(super) pairs: usize,
    /// Pairs of which a side has no score.
    pub(super) lost: usize,
}

/// Of so many pairs a stratum; none where a stratum has no pair with scores.
pub(super) fn estimate(plan: &GatePlan, seen: &GateSeen, counts: &[usize]) -> Option<Estimate> {
    // A verdict that is wrong as often for a good answer as for a bad one draws both sides
    // together.
    let error = plan.options.flips.map_or(0.0, JudgeFlips::error);
    let shrinks = 1.0 - 2.0 * error;
    let (mut parts, mut lost) = (Vec::new(), 0);
    for (number, (stratum, pairs)) in plan.strata.iter().zip(counts).enumerate() {
        let drawn = stratum.drawn(number, *pairs, plan.options.seed);
        let used = Used::count(&drawn, seen, &plan.options);
        lost += used.lost;
        let judge = error * (1.0 - error) * used.verdicts_shared();
        parts.push(Part::new(stratum, used.differences, judge)?);
    }
    let parts = Parts(parts);
    let variance = parts.variance() / (shrinks * shrinks);
    let at = |difference: f64| variance.max(parts.variance_at(difference * shrinks) / (shrinks * shrinks));
    Some(Estimate {
        difference: (parts.difference() / shrinks).clamp(-1.0, 1.0),
        variance,
        variance_at_margin: at(-plan.judged_margin()),
        variance_at_none: at(0.0),
        pairs: counts.iter().sum(),
        lost,
    })
}

/// What a stratum's pairs come to.
struct Used {
    /// Independent differences: of pairs, or of tasks where the baseline's attempts or the judge's
    /// verdicts are the same for several pairs.
    differences: Vec<f64>,
    lost: usize,
    sides: [Vec<GateOutcome>; 2],
}

impl Used {
    fn count(drawn: &[usize], seen: &GateSeen, options: &GateOptions) -> Self {
        let mut times: BTreeMap<usize, usize> = BTreeMap::new();
        for task in drawn {
            *times.entry(*task).or_default() += 1;
        }
        let mut used = Self { differences: Vec::new(), lost: 0, sides: [Vec::new(), Vec::new()] };
        for (task, times) in times {
            let candidate = seen.outcomes(task, GateSide::Candidate);
            let candidate = &candidate[..times.min(candidate.len())];
            let baseline = seen.outcomes(task, GateSide::Baseline);
            if options.is_baseline_open {
                let first = used.differences.len();
                for (one, other) in baseline.iter().zip(candidate) {
                    match (one.score, other.score) {
                        (Some(before), Some(after)) => used.differences.push(after - before),
                        _ => used.lost += 1,
                    }
                }
                if options.is_repeated {
                    let of_task = used.differences.split_off(first);
                    let mean = of_task.iter().sum::<f64>() / of_task.len() as f64;
                    used.differences.extend((!of_task.is_empty()).then_some(mean));
                }
                used.sides[0].extend(&baseline[..times.min(baseline.len())]);
            } else {
                match (mean(baseline), mean(candidate)) {
                    (Some(before), Some(after)) => used.differences.push(after - before),
                    _ => used.lost += times,
                }
                used.sides[0].extend(baseline);
            }
            used.sides[1].extend(candidate);
        }
        used
    }

    /// How much less than independent verdicts there are: what the same text was judged once for
    /// counts once.
    fn verdicts_shared(&self) -> f64 {
        let of_side = |outcomes: &Vec<GateOutcome>| {
            let count = outcomes.len().max(1) as f64;
            let mut alike: BTreeMap<u64, f64> = BTreeMap::new();
            for answer in outcomes.iter().filter_map(|one| one.answer) {
                *alike.entry(answer).or_default() += 1.0;
            }
            let shared = alike.values().map(|times| times * times - times);
            shared.sum::<f64>() / (count * count)
        };
        self.sides.iter().map(of_side).sum()
    }
}

fn mean(outcomes: &[GateOutcome]) -> Option<f64> {
    let scores: Vec<f64> = outcomes.iter().filter_map(|one| one.score).collect();
    (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64)
}
