//! How often intervals over several benchmarks hold the truth, by made-up items whose truth is
//! known.
//!
//! Three benchmarks with groups of 8 to 150 items; the second model gains in some groups and loses
//! in others. Where the two seldom differ, most small groups have no item on which they do.

use super::{AcrossItem, AcrossOptions, AcrossWeights, across};
use crate::chance;
use koab_core::split_mix::SplitMix;

/// Benchmarks with the sizes of their groups and the middle of their differences.
const BENCHMARKS: [(&str, &[usize], f64); 3] = [
    ("a", &[8, 10, 13, 15, 15, 15, 15], 0.06),
    ("b", &[40, 60, 120], -0.03),
    ("c", &[90, 100, 150, 150], 0.01),
];
/// From one group to the next.
const STEP: f64 = 0.02;
/// The share of the items on which the two agree that both solve.
const SOLVED: f64 = 0.7;

/// What the items are drawn from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AcrossTruth {
    /// The share of the items that only one of the two solves.
    pub discordance: f64,
    /// What the differences are multiplied with; 0 for two that are alike everywhere.
    pub scale: f64,
}

impl AcrossTruth {
    /// The two differ on a fifth of the items.
    pub const USUAL: Self = Self { discordance: 0.2, scale: 1.0 };
    /// The two hardly ever differ.
    pub const QUIET: Self = Self { discordance: 0.02, scale: 0.1 };
    /// The two are alike.
    pub const ALIKE: Self = Self { discordance: 0.2, scale: 0.0 };
}

/// What many draws came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AcrossCoverage {
    /// Draws.
    pub draws: usize,
    /// Of these, the combined interval held the truth: by item, by benchmark.
    pub covered: [usize; 2],
    /// Of these, p was below the level: by item, by benchmark.
    pub alarms: [usize; 2],
    /// Strata of all draws.
    pub strata: usize,
    /// Of these, the interval held the truth.
    pub strata_covered: usize,
}

/// Draws items and counts whose interval holds the truth.
pub fn simulate(truth: AcrossTruth, draws: usize, seed: u64) -> AcrossCoverage {
    let mut mix = SplitMix(seed);
    let mut whole = AcrossCoverage { draws, ..AcrossCoverage::default() };
    for _ in 0..draws {
        let (items, truths) = draw(&mut mix, truth);
        for (at, weights) in [AcrossWeights::Item, AcrossWeights::Benchmark].into_iter().enumerate() {
            let options = AcrossOptions { weights, ..AcrossOptions::default() };
            let Ok(found) = across(&items, &options) else {
                continue;
            };
            let both = || found.strata.iter().zip(&truths);
            let truth: f64 = both().map(|(one, truth)| one.weight * truth).sum();
            let holds = |[low, high]: [f64; 2], truth: f64| usize::from(low <= truth && truth <= high);
            whole.covered[at] += holds(found.combined.interval, truth);
            whole.alarms[at] += usize::from(found.combined.p < options.alpha);
            if at == 0 {
                whole.strata += truths.len();
                whole.strata_covered += both().map(|(one, truth)| holds(one.interval, *truth)).sum::<usize>();
            }
        }
    }
    whole
}

/// Items, and the true difference of each group.
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
