//! All strata together.

use super::heterogeneity::{Heterogeneity, heterogeneity};
use super::power::{Part, detectable};
use super::stratum::{AcrossItem, AcrossStratum, stratum};
use crate::paired::{ALPHA, DRAWS, SEED, holm, mcnemar, signflip};
use koab_core::sentence::Sentence;
use koab_core::{Say, say, shown};
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

/// How often standard errors are read off intervals anew.
const ROUNDS: usize = 4;

/// Shares that differ by less than this part of them are the same but for rounding.
const ROUNDING: f64 = 1e-9;

/// What counts the same in the combined difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub enum AcrossWeights {
    /// Every item: large benchmarks lead.
    #[default]
    Item,
    /// Every benchmark, and within it every item.
    Benchmark,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AcrossOptions {
    /// What counts the same.
    pub weights: AcrossWeights,
    /// Two-sided level.
    pub alpha: f64,
    /// The power that the detectable difference has.
    pub power: f64,
    /// Seed of drawn signs.
    pub seed: u64,
}

impl Default for AcrossOptions {
    fn default() -> Self {
        Self { weights: AcrossWeights::Item, alpha: ALPHA, power: 0.8, seed: SEED }
    }
}

/// What cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Say)]
pub enum AcrossRefusal {
    /// Nothing in common.
    #[error("the two have no two items in common, so there is nothing to compare")]
    NoItems,
    /// A score is none.
    #[error("{benchmark}: a score is not a number from 0 to 1")]
    Score {
        /// The benchmark.
        benchmark: String,
    },
}

/// A difference of several strata.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AcrossCombined {
    /// Second less first.
    pub difference: f64,
    /// Standard error: what the width of the interval comes to.
    pub error: f64,
    /// Its interval.
    pub interval: [f64; 2],
    /// p of the two being alike.
    pub p: f64,
    /// The smallest difference that these items could have been expected to find.
    pub detectable: f64,
}

/// A benchmark by itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AcrossBenchmark {
    /// Its name.
    pub benchmark: String,
    /// Its items.
    pub items: usize,
    /// Its difference, each item counting the same.
    pub combined: AcrossCombined,
}

/// Two models over several benchmarks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Across {
    /// What counts the same in the combined difference.
    pub weights: AcrossWeights,
    /// The strata, in the order in which their items came.
    pub strata: Vec<AcrossStratum>,
    /// The benchmarks.
    pub benchmarks: Vec<AcrossBenchmark>,
    /// All together.
    pub combined: AcrossCombined,
    /// Whether the benchmarks agree; null for a single one.
    pub heterogeneity: Option<Heterogeneity>,
    /// All of it in a sentence.
    pub sentence: Sentence,
}

/// Compares two by the items that both have.
///
/// # Errors
/// When they have fewer than two, or a score is not a number from 0 to 1.
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

/// Strata with their weights.
///
/// The interval is Yan and Su's stratified one (*Statistics in Biopharmaceutical Research* 2,
/// 2010): the strata's own intervals, each of fewer standard errors, added up by weight. The fewer
/// are such that standard errors, which are read off the strata's intervals of just as many, come
/// to the usual interval; strata without spread keep the width that their number of items leaves.
/// The test is the conditional one on the items that differ: were the two alike, each could as well
/// have the other sign. A single stratum of yes or no has Tango's interval and McNemar's exact
/// test.
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
        for (end, of_stratum) in interval.iter_mut().zip(one.interval_of(fewer)) {
            *end += weight * of_stratum;
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

/// p of these shares having the signs that they have, were either sign as likely.
fn conditional(shares: &[f64], seed: u64) -> f64 {
    let some: Vec<f64> = shares.iter().copied().filter(|one| *one != 0.0).collect();
    let size = some.first().copied().unwrap_or_default().abs();
    if some.iter().any(|one| (one.abs() - size).abs() > ROUNDING * size) {
        return signflip::p_value(&some, seed, DRAWS).0;
    }
    // Where each counts the same, only their number matters.
    let won = some.iter().filter(|one| **one > 0.0).count();
    mcnemar::exact(some.len() - won, won)
}

/// Standard errors to each side of an interval.
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
        "difference {difference}, interval {low} to {high}, over {items} items (benchmarks: {benchmarks}; {weights}); with these a difference of {detectable} is found with power {power}"
    )];
    if let Some(found) = heterogeneity.filter(|found| found.is_named()) {
        let (p, share) = (shown::p_value(Some(found.p)), shown::percent(found.i2, 0));
        parts.push(say!("the benchmarks disagree (Cochran's Q, p {p}; I² {share}), so look at each of them"));
    }
    Sentence::joined(parts, "; ")
}
