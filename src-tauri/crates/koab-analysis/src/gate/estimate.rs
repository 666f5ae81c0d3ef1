//! Estimate of the difference between the two sides from the outcomes so far.

use super::flips::JudgeFlips;
use super::options::GateOptions;
use super::parts::{Part, Parts};
use super::plan::GatePlan;
use super::seen::{GateOutcome, GateSeen, GateSide};
use std::collections::BTreeMap;

/// Estimated difference with its variances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Estimate {
    /// Mean of the candidate minus mean of the baseline, over the pack's tasks.
    pub(super) difference: f64,
    /// Variance of the difference as observed.
    pub(super) variance: f64,
    /// Variance if the true loss were the margin.
    pub(super) variance_at_margin: f64,
    /// Variance if there were no true loss.
    pub(super) variance_at_none: f64,
    /// Number of pairs.
    pub(super) pairs: usize,
    /// Number of pairs without a score on at least one side.
    pub(super) lost: usize,
}

/// Estimates the difference from the first pairs of each stratum; `counts` has their number per
/// stratum. `None` if a stratum has no pair with scores.
pub(super) fn estimate(plan: &GatePlan, seen: &GateSeen, counts: &[usize]) -> Option<Estimate> {
    // A verdict that is wrong equally often for good and bad answers shrinks the difference.
    let error = plan.options.flips.map_or(0.0, JudgeFlips::error);
    let shrinks = 1.0 - 2.0 * error;
    let (mut parts, mut lost) = (Vec::new(), 0);
    for (number, (stratum, pairs)) in plan.strata.iter().zip(counts).enumerate() {
        let tasks = stratum.drawn(number, *pairs, plan.options.seed);
        let used = Used::count(&tasks, seen, &plan.options);
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

/// Differences and outcomes of a stratum's pairs.
struct Used {
    /// Independent differences. There is one per pair, or one per task if several pairs share the
    /// baseline's attempts or the judge's verdicts.
    differences: Vec<f64>,
    /// Number of pairs without a score on at least one side.
    lost: usize,
    /// Outcomes of the baseline, then of the candidate.
    sides: [Vec<GateOutcome>; 2],
}

impl Used {
    fn count(tasks: &[usize], seen: &GateSeen, options: &GateOptions) -> Self {
        let mut times: BTreeMap<usize, usize> = BTreeMap::new();
        for task in tasks {
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

    /// Share of pairs of attempts that have the same answer text and therefore share one verdict,
    /// summed over both sides. Pairs are ordered: two attempts form two pairs.
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
