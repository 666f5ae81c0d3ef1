//! One stratum: its difference, interval and test.

use super::score_interval::{of_means, of_shares};
use crate::paired::{mcnemar, signflip};
use koab_report::interval::DRAWS;
use serde::{Deserialize, Serialize};

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
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
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
    /// Its interval.
    pub interval: [f64; 2],
    /// p of its test.
    pub p: f64,
    /// The same after Holm's correction over the strata.
    pub holm: f64,
    /// Mean square of the items' differences.
    pub discordance: f64,
    /// What it has seen.
    #[serde(skip)]
    pub(super) seen: Seen,
}

/// The differences of a stratum's items.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Seen {
    /// Of yes or no: how many only the second and only the first solved.
    Shares { won: usize, lost: usize },
    /// Of any other score, item by item.
    Means(Vec<f64>),
}

impl Default for Seen {
    fn default() -> Self {
        Self::Means(Vec::new())
    }
}

impl AcrossStratum {
    /// Its interval of so many standard errors to each side.
    pub(super) fn interval_of(&self, reach: f64) -> [f64; 2] {
        match &self.seen {
            Seen::Shares { won, lost } => of_shares(*won, *lost, self.items, reach),
            Seen::Means(differences) => of_means(differences, reach),
        }
    }

    /// What its items add to a difference in which it has this weight: those that differ.
    pub(super) fn shares(&self, weight: f64) -> Vec<f64> {
        let each = weight / self.items as f64;
        match &self.seen {
            Seen::Shares { won, lost } => {
                let won = std::iter::repeat_n(each, *won);
                won.chain(std::iter::repeat_n(-each, *lost)).collect()
            }
            Seen::Means(differences) => differences.iter().map(|one| one * each).collect(),
        }
    }
}

/// A stratum of these differences, still without weight and correction.
pub(super) fn stratum(
    benchmark: &str,
    group: &str,
    items: &[&AcrossItem],
    reach: f64,
    seed: u64,
) -> AcrossStratum {
    let differences: Vec<f64> = items.iter().map(|item| item.second - item.first).collect();
    let count = items.len() as f64;
    let is_yes_or_no = |score: f64| score == 0.0 || score == 1.0;
    let is_binary = items.iter().all(|item| is_yes_or_no(item.first) && is_yes_or_no(item.second));
    let of = |sign: f64| differences.iter().filter(|one| **one == sign).count();
    let (won, lost) = (of(1.0), of(-1.0));
    let p =
        if is_binary { mcnemar::exact(lost, won) } else { signflip::p_value(&differences, seed, DRAWS).0 };
    let mut stratum = AcrossStratum {
        benchmark: benchmark.to_owned(),
        group: group.to_owned(),
        items: items.len(),
        weight: 0.0,
        difference: differences.iter().sum::<f64>() / count,
        interval: [-1.0, 1.0],
        p,
        holm: p,
        discordance: differences.iter().map(|one| one * one).sum::<f64>() / count,
        seen: if is_binary { Seen::Shares { won, lost } } else { Seen::Means(differences) },
    };
    stratum.interval = stratum.interval_of(reach);
    stratum
}
