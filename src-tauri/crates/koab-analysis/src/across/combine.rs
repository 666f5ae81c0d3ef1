//! Combination of all strata into one difference.

use super::heterogeneity::{Heterogeneity, heterogeneity};
use super::power::{Part, detectable};
use super::stratum::{AcrossItem, AcrossStratum, stratum};
use crate::paired::{ALPHA, DRAWS, SEED, holm, mcnemar, signflip};
use koab_core::sentence::Sentence;
use koab_core::{Say, say, shown};
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

/// Number of times that the standard errors are computed again from the strata's intervals.
const ROUNDS: usize = 4;

/// Relative difference below which two shares are equal, since it comes from rounding.
const ROUNDING: f64 = 1e-9;

/// Unit that has equal weights in the combined difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub enum AcrossWeights {
    /// All items have the same weight, so large benchmarks dominate.
    #[default]
    Item,
    /// All benchmarks have the same weight, and within a benchmark all items have the same weight.
    Benchmark,
}

/// Options of a comparison over several benchmarks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AcrossOptions {
    /// Unit that has equal weights in the combined difference: items or benchmarks.
    pub weights: AcrossWeights,
    /// Two-sided significance level of tests and intervals.
    pub alpha: f64,
    /// Power that the smallest detectable difference assumes.
    pub power: f64,
    /// Seed of the random signs of sign-flip tests.
    pub seed: u64,
}

impl Default for AcrossOptions {
    fn default() -> Self {
        Self { weights: AcrossWeights::Item, alpha: ALPHA, power: 0.8, seed: SEED }
    }
}

/// Reason why two models cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Say)]
pub enum AcrossRefusal {
    /// The two models have fewer than two items in common.
    #[error("the two models have fewer than two items in common, so there is nothing to compare")]
    NoItems,
    /// A score is not a number from 0 to 1.
    #[error("{benchmark}: a score is not a number from 0 to 1")]
    Score {
        /// Benchmark of the score.
        benchmark: String,
    },
}

/// Difference of two models, combined over several strata.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AcrossCombined {
    /// Score of the second model minus score of the first.
    pub difference: f64,
    /// Standard error: half the width of the interval, divided by the normal quantile for the
    /// significance level.
    pub error: f64,
    /// Confidence interval of the difference, lower end first.
    pub interval: [f64; 2],
    /// p value under the hypothesis that the two models do not differ.
    pub p: f64,
    /// Smallest difference that these items detect with the requested power.
    pub detectable: f64,
}

/// Comparison of two models on one benchmark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AcrossBenchmark {
    /// Name of the benchmark.
    pub benchmark: String,
    /// Number of the benchmark's items.
    pub items: usize,
    /// Difference over the benchmark's strata; each item has the same weight.
    pub combined: AcrossCombined,
}

/// Comparison of two models over several benchmarks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Across {
    /// Unit that has equal weights in the combined difference.
    pub weights: AcrossWeights,
    /// Strata, one for each group of each benchmark, ordered by their first items.
    pub strata: Vec<AcrossStratum>,
    /// Comparison on each benchmark.
    pub benchmarks: Vec<AcrossBenchmark>,
    /// Difference over all benchmarks.
    pub combined: AcrossCombined,
    /// Heterogeneity of the benchmarks; null where fewer than two benchmarks have a variance above
    /// 0.
    pub heterogeneity: Option<Heterogeneity>,
    /// Summary of the comparison in words.
    pub sentence: Sentence,
}

/// Compares two models on the items that both models have.
///
/// # Errors
/// When there are fewer than two such items, or a score is not a number from 0 to 1.
pub fn across(items: &[AcrossItem], options: &AcrossOptions) -> Result<Across, AcrossRefusal> {
    if items.len() < 2 {
        return Err(AcrossRefusal::NoItems);
    }
    let is_score = |score: f64| (0.0..=1.0).contains(&score);
    if let Some(item) = items.iter().find(|item| !is_score(item.first) || !is_score(item.second)) {
        return Err(AcrossRefusal::Score { benchmark: item.benchmark.clone() });
    }
    let mut keys: Vec<(&str, &str)> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for item in items {
        let key = (item.benchmark.as_str(), item.group.as_str());
        if !keys.contains(&key) {
            keys.push(key);
        }
        if !names.contains(&key.0) {
            names.push(key.0);
        }
    }
    let mut strata: Vec<AcrossStratum> = keys
        .iter()
        .enumerate()
        .map(|(number, (benchmark, group))| {
            let of = items.iter().filter(|item| item.benchmark == *benchmark && item.group == *group);
            stratum(benchmark, group, &of.collect::<Vec<_>>(), reach(options), options.seed ^ number as u64)
        })
        .collect();
    let corrected = holm::holm(&strata.iter().map(|one| one.p).collect::<Vec<_>>());
    let count_of = |name: &str| items.iter().filter(|item| item.benchmark == name).count();
    for (stratum, holm) in strata.iter_mut().zip(corrected) {
        stratum.holm = holm;
        stratum.weight = match options.weights {
            AcrossWeights::Item => stratum.items as f64 / items.len() as f64,
            AcrossWeights::Benchmark => {
                stratum.items as f64 / count_of(&stratum.benchmark) as f64 / names.len() as f64
            }
        };
    }
    let weighted = strata.iter().map(|one| (one, one.weight)).collect::<Vec<_>>();
    let combined = combine(&weighted, options);
    let benchmark = |name: &&str| {
        let of = strata.iter().filter(|one| one.benchmark == **name);
        let count = count_of(name);
        let weighted: Vec<_> = of.map(|one| (one, one.items as f64 / count as f64)).collect();
        AcrossBenchmark { benchmark: (*name).to_owned(), items: count, combined: combine(&weighted, options) }
    };
    let benchmarks: Vec<AcrossBenchmark> = names.iter().map(benchmark).collect();
    let spread = |one: &AcrossBenchmark| (one.combined.difference, one.combined.error.powi(2));
    let heterogeneity = heterogeneity(&benchmarks.iter().map(spread).collect::<Vec<_>>());
    Ok(Across {
        sentence: sentence(&combined, options, items.len(), names.len(), heterogeneity),
        weights: options.weights,
        strata,
        benchmarks,
        combined,
        heterogeneity,
    })
}

/// Combines strata with their weights into one difference.
///
/// The interval is Yan and Su's stratified interval (*Statistics in Biopharmaceutical Research* 2,
/// 2010): the weighted sum of the strata's own intervals, each computed with a reduced number of
/// standard errors. This number is chosen so that the sum has the usual width for the standard
/// errors that the strata's intervals imply. Strata without spread keep the width that their number
/// of items implies.
///
/// The test is conditional on the items with a difference: if the two models were alike, each of
/// these differences could equally well have the other sign. A single stratum of yes-or-no items
/// therefore has Tango's interval and McNemar's exact test.
fn combine(strata: &[(&AcrossStratum, f64)], options: &AcrossOptions) -> AcrossCombined {
    let reach = reach(options);
    let difference = strata.iter().map(|(one, weight)| weight * one.difference).sum::<f64>();
    let mut fewer = reach;
    for _ in 0..ROUNDS {
        let errors = strata.iter().map(|(one, weight)| {
            let [low, high] = one.interval_of(fewer);
            weight * (high - low) / (2.0 * fewer)
        });
        let (sum, squares) =
            errors.fold((0.0, 0.0), |(sum, squares), error| (sum + error, squares + error * error));
        fewer = reach * f64::sqrt(squares) / sum;
    }
    let mut interval = [0.0, 0.0];
    for (one, weight) in strata {
        for (end, stratum_end) in interval.iter_mut().zip(one.interval_of(fewer)) {
            *end += weight * stratum_end;
        }
    }
    let shares: Vec<f64> = strata.iter().flat_map(|(one, weight)| one.shares(*weight)).collect();
    let part = |(one, weight): &(&AcrossStratum, f64)| Part {
        weight: *weight,
        items: one.items,
        discordance: one.discordance,
    };
    let parts: Vec<Part> = strata.iter().map(part).collect();
    AcrossCombined {
        difference,
        error: (interval[1] - interval[0]) / (2.0 * reach),
        interval,
        p: conditional(&shares, options.seed),
        detectable: detectable(&parts, options.alpha, options.power),
    }
}

/// p value of the observed signs under the hypothesis that both signs are equally likely.
fn conditional(shares: &[f64], seed: u64) -> f64 {
    let some: Vec<f64> = shares.iter().copied().filter(|one| *one != 0.0).collect();
    let size = some.first().copied().unwrap_or_default().abs();
    if some.iter().any(|one| (one.abs() - size).abs() > ROUNDING * size) {
        return signflip::p_value(&some, seed, DRAWS).0;
    }
    // With equal sizes only the numbers of wins and losses matter.
    let won = some.iter().filter(|one| **one > 0.0).count();
    mcnemar::exact(some.len() - won, won)
}

/// Half the width of an interval in standard errors: 1.96 for a significance level of 0.05.
fn reach(options: &AcrossOptions) -> f64 {
    Normal::standard().inverse_cdf(1.0 - options.alpha / 2.0)
}

fn sentence(
    combined: &AcrossCombined,
    options: &AcrossOptions,
    items: usize,
    benchmarks: usize,
    heterogeneity: Option<Heterogeneity>,
) -> Sentence {
    let points = |value: f64| shown::difference(Some(value));
    let difference = points(combined.difference);
    let [low, high] = combined.interval;
    let [low, high] = shown::both_ends_of_difference(low, high);
    let weights = match options.weights {
        AcrossWeights::Item => say!("each item counts the same"),
        AcrossWeights::Benchmark => say!("each benchmark counts the same"),
    };
    let detectable = shown::score(Some(combined.detectable));
    let power = options.power;
    let mut parts = vec![say!(
        "difference {difference}, interval {low} to {high}, over {items} items (benchmarks: {benchmarks}; {weights}); these items can show a difference of {detectable} with power {power}"
    )];
    if let Some(heterogeneity) = heterogeneity.filter(|heterogeneity| heterogeneity.is_named()) {
        let (p, share) = (shown::p_value(Some(heterogeneity.p)), shown::percent(heterogeneity.i2, 0));
        parts.push(say!(
            "the benchmarks disagree (Cochran's Q, p {p}; I² {share}), so look at each benchmark"
        ));
    }
    Sentence::joined(parts, "; ")
}
