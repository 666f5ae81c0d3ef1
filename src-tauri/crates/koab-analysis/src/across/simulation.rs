//! Simulated coverage of the intervals over several benchmarks, with items whose true difference is
//! known.
//!
//! The three benchmarks have groups of 8 to 150 items. The second model is better in some groups
//! and worse in others. If the two models seldom differ, most small groups have no item with a
//! difference.

use super::{AcrossItem, AcrossOptions, AcrossWeights, across};
use crate::chance;
use koab_core::split_mix::SplitMix;

/// Benchmarks, each with the sizes of its groups and the true difference of its second group. A
/// true difference is the solve rate (0 to 1) of the second model minus that of the first.
const BENCHMARKS: [(&str, &[usize], f64); 3] = [
    ("a", &[8, 10, 13, 15, 15, 15, 15], 0.06),
    ("b", &[40, 60, 120], -0.03),
    ("c", &[90, 100, 150, 150], 0.01),
];
/// Increase of the true difference from one group of a benchmark to the next.
const STEP: f64 = 0.02;
/// Share of the items that both models solve, among the items on which the two models do not
/// differ.
const SOLVED: f64 = 0.7;

/// Parameters of the simulated items.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AcrossTruth {
    /// Share of the items that only one of the two models solves.
    pub discordance: f64,
    /// Factor for the true differences; 0 makes the two models equal in every group.
    pub scale: f64,
}

impl AcrossTruth {
    /// The two models differ on a fifth of the items.
    pub const USUAL: Self = Self { discordance: 0.2, scale: 1.0 };
    /// The two models hardly ever differ.
    pub const QUIET: Self = Self { discordance: 0.02, scale: 0.1 };
    /// The two models have the same solve rate in every group, but differ on a fifth of the items.
    pub const ALIKE: Self = Self { discordance: 0.2, scale: 0.0 };
}

/// Counts over all simulated draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AcrossCoverage {
    /// Number of draws.
    pub draws: usize,
    /// Number of draws whose combined interval contained the truth: weighted by item, weighted by
    /// benchmark.
    pub covered: [usize; 2],
    /// Number of draws whose p value was below the significance level: weighted by item, weighted
    /// by benchmark.
    pub alarms: [usize; 2],
    /// Number of strata of all draws.
    pub strata: usize,
    /// Number of strata whose interval contained the truth.
    pub strata_covered: usize,
}

/// Draws items and counts the intervals that contain the truth.
pub fn simulate(truth: AcrossTruth, draws: usize, seed: u64) -> AcrossCoverage {
    let mut mix = SplitMix(seed);
    let mut whole = AcrossCoverage { draws, ..AcrossCoverage::default() };
    for _ in 0..draws {
        let (items, truths) = draw(&mut mix, truth);
        for (at, weights) in [AcrossWeights::Item, AcrossWeights::Benchmark].into_iter().enumerate() {
            let options = AcrossOptions { weights, ..AcrossOptions::default() };
            let Ok(comparison) = across(&items, &options) else {
                continue;
            };
            let both = || comparison.strata.iter().zip(&truths);
            let truth: f64 = both().map(|(one, truth)| one.weight * truth).sum();
            let holds = |[low, high]: [f64; 2], truth: f64| usize::from(low <= truth && truth <= high);
            whole.covered[at] += holds(comparison.combined.interval, truth);
            whole.alarms[at] += usize::from(comparison.combined.p < options.alpha);
            if at == 0 {
                whole.strata += truths.len();
                whole.strata_covered += both().map(|(one, truth)| holds(one.interval, *truth)).sum::<usize>();
            }
        }
    }
    whole
}

/// Draws the items of all groups. Returns the items and the true difference of each group.
fn draw(mix: &mut SplitMix, truth: AcrossTruth) -> (Vec<AcrossItem>, Vec<f64>) {
    let (mut items, mut truths) = (Vec::new(), Vec::new());
    for (benchmark, groups, middle) in BENCHMARKS {
        for (at, size) in groups.iter().enumerate() {
            let difference = truth.scale * (middle + STEP * (at as f64 - 1.0));
            truths.push(difference);
            for _ in 0..*size {
                let draw = chance::unit(mix);
                let both = f64::from(u8::from(chance::is_hit(mix, SOLVED)));
                let (first, second) = if draw < f64::midpoint(truth.discordance, difference) {
                    (0.0, 1.0)
                } else if draw < truth.discordance {
                    (1.0, 0.0)
                } else {
                    (both, both)
                };
                items.push(AcrossItem {
                    benchmark: benchmark.to_owned(),
                    group: at.to_string(),
                    first,
                    second,
                });
            }
        }
    }
    (items, truths)
}
