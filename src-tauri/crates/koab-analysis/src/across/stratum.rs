//! One stratum: its difference, interval and test.

use super::score_interval::{of_means, of_shares};
use crate::paired::{mcnemar, signflip};
use koab_report::interval::DRAWS;
use serde::{Deserialize, Serialize};

/// Item on which both models have a score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AcrossItem {
    /// Name of the item's benchmark.
    pub benchmark: String,
    /// Group of the item within its benchmark.
    pub group: String,
    /// Score of the first model, from 0 to 1.
    pub first: f64,
    /// Score of the second model, from 0 to 1.
    pub second: f64,
}

/// Stratum: one group of one benchmark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AcrossStratum {
    /// Name of the benchmark.
    pub benchmark: String,
    /// Name of the group.
    pub group: String,
    /// Number of the stratum's items.
    pub items: usize,
    /// Weight of the stratum in the combined difference.
    pub weight: f64,
    /// Mean score of the second model minus that of the first.
    pub difference: f64,
    /// Confidence interval of the difference, lower end first.
    pub interval: [f64; 2],
    /// p value of the stratum's test.
    pub p: f64,
    /// p value after Holm's correction over the strata.
    pub holm: f64,
    /// Mean square of the items' differences.
    pub discordance: f64,
    /// Observed differences of the items.
    #[serde(skip)]
    pub(super) seen: Seen,
}

/// Observed differences of a stratum's items.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Seen {
    /// Yes-or-no items: number of items that only the second model solved, and that only the first
    /// model solved.
    Shares { won: usize, lost: usize },
    /// Items with any other score: the difference of each item.
    Means(Vec<f64>),
}

impl Default for Seen {
    fn default() -> Self {
        Self::Means(Vec::new())
    }
}

impl AcrossStratum {
    /// Confidence interval that extends `reach` standard errors to each side.
    pub(super) fn interval_of(&self, reach: f64) -> [f64; 2] {
        match &self.seen {
            Seen::Shares { won, lost } => of_shares(*won, *lost, self.items, reach),
            Seen::Means(differences) => of_means(differences, reach),
        }
    }

    /// Contributions of the items to a combined difference, for the stratum's weight. Yes-or-no
    /// items without a difference are left out.
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

/// Compares two models on the items of one stratum. `reach` is the half width of the interval in
/// standard errors, and `seed` that of the sign-flip test. The weight and Holm's correction are set
/// later.
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
