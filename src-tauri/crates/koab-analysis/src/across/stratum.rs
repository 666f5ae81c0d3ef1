//! One stratum: its difference, interval and test.

use super::score_interval::paired_shares;
use crate::paired::{mcnemar, signflip};
use koab_report::interval::DRAWS;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// An item that both have a score of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AcrossItem {
    /// Its benchmark.
    pub benchmark: String,
    /// Its group there.
    pub group: String,
    /// The first one's score, from 0 to 1.
    pub first: f64,
    /// The second one's.
    pub second: f64,
}

/// A group of a benchmark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AcrossStratum {
    /// The benchmark.
    pub benchmark: String,
    /// The group.
    pub group: String,
    /// Its items.
    pub items: usize,
    /// Its weight in the combined difference.
    pub weight: f64,
    /// Second less first.
    pub difference: f64,
    /// Its interval; null where a single item has none.
    pub interval: Option<[f64; 2]>,
    /// p of its test.
    pub p: f64,
    /// The same after Holm's correction over the strata.
    pub holm: f64,
    /// Mean square of the items' differences.
    pub discordance: f64,
    /// Variance of a single item's difference.
    pub(super) variance: Option<f64>,
}

/// A stratum of these differences, still without weight and correction.
pub(super) fn stratum(
    benchmark: &str,
    group: &str,
    items: &[&AcrossItem],
    alpha: f64,
    seed: u64,
) -> AcrossStratum {
    let differences: Vec<f64> = items.iter().map(|item| item.second - item.first).collect();
    let count = items.len() as f64;
    let difference = differences.iter().sum::<f64>() / count;
    let square = |middle: f64| differences.iter().map(|one| (one - middle).powi(2)).sum::<f64>();
    let variance = (items.len() > 1).then(|| square(difference) / (count - 1.0));
    let is_binary = items.iter().all(|item| {
        [item.first, item.second]
            .iter()
            .all(|one| *one == 0.0 || *one == 1.0)
    });
    let (p, interval) = if is_binary {
        let of = |sign: f64| differences.iter().filter(|one| **one == sign).count();
        let (won, lost) = (of(1.0), of(-1.0));
        let interval = (items.len() > 1).then(|| paired_shares(won, lost, items.len(), alpha));
        (mcnemar::exact(lost, won), interval)
    } else {
        let interval = variance.map(|variance| {
            let reach = StudentsT::new(0.0, 1.0, count - 1.0)
                .map_or(f64::INFINITY, |t| t.inverse_cdf(1.0 - alpha / 2.0));
            let reach = reach * (variance / count).sqrt();
            [(difference - reach).max(-1.0), (difference + reach).min(1.0)]
        });
        (signflip::p_value(&differences, seed, DRAWS).0, interval)
    };
    AcrossStratum {
        benchmark: benchmark.to_owned(),
        group: group.to_owned(),
        items: items.len(),
        weight: 0.0,
        difference,
        interval,
        p,
        holm: p,
        discordance: square(0.0) / count,
        variance,
    }
}
