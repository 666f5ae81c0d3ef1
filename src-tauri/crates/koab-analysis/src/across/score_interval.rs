//! Score intervals of the mean difference of paired items. They are valid for few items and for
//! items without a difference.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Number of steps of the binary search for an end of an interval.
const HALVINGS: usize = 60;

/// Tango's score interval (*Statistics in Medicine* 17, 1998) of the difference of two paired
/// shares: all differences that the score test does not reject.
///
/// Only the second model solved `won` items, and only the first model solved `lost` items.
pub fn paired_shares(won: usize, lost: usize, items: usize, alpha: f64) -> [f64; 2] {
    of_shares(won, lost, items, Normal::standard().inverse_cdf(1.0 - alpha / 2.0))
}

/// Tango's interval of the difference `(won − lost) / items`. It extends `reach` standard errors to
/// each side.
pub(super) fn of_shares(won: usize, lost: usize, items: usize, reach: f64) -> [f64; 2] {
    let observed = (won as f64 - lost as f64) / items as f64;
    let is_ruled_out = |difference: f64| score(won, lost, items, difference).abs() > reach;
    [-1.0, 1.0].map(|end| {
        let (mut inside, mut outside) = (observed, end);
        if !is_ruled_out(outside) {
            return outside;
        }
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(inside, outside);
            if is_ruled_out(middle) {
                outside = middle;
            } else {
                inside = middle;
            }
        }
        f64::midpoint(inside, outside)
    })
}

/// Agresti and Min's interval (*Statistics in Medicine* 24, 2005) of the mean difference of scores
/// from 0 to 1.
///
/// The interval extends `reach` standard errors to each side. It adds two artificial items: one is
/// half a gain and half a loss, and the models agree on the other. So identical differences do not
/// give a width of 0. The quantile is from the t distribution, since the spread is estimated. A
/// single item gives the whole range.
pub(super) fn of_means(differences: &[f64], reach: f64) -> [f64; 2] {
    let count = differences.len() as f64;
    let sum: f64 = differences.iter().sum();
    let squares: f64 = differences.iter().map(|one| one * one).sum();
    let Ok(t) = StudentsT::new(0.0, 1.0, count - 1.0) else {
        return [-1.0, 1.0];
    };
    let (middle, all) = (sum / (count + 2.0), count + 2.0);
    let spread = ((squares + 1.0) / all - middle * middle).max(0.0);
    let reach = t.inverse_cdf(Normal::standard().cdf(reach)) * (spread / all).sqrt();
    let observed = sum / count;
    [(middle - reach).clamp(-1.0, observed), (middle + reach).clamp(observed, 1.0)]
}

/// z statistic of the observed counts under the hypothesis that the second model's share of solved
/// items is larger by `difference`.
fn score(won: usize, lost: usize, items: usize, difference: f64) -> f64 {
    let (won, lost, items) = (won as f64, lost as f64, items as f64);
    // Share that only the first model solves: the maximum-likelihood estimate under this
    // difference.
    let square = 2.0 * items;
    let linear = -won - lost + (2.0 * items - won + lost) * difference;
    let rest = -lost * difference * (1.0 - difference);
    let likely = ((linear * linear - 4.0 * square * rest).max(0.0).sqrt() - linear) / (2.0 * square);
    let variance = items * (2.0 * likely + difference * (1.0 - difference));
    let away = won - lost - items * difference;
    if away == 0.0 { 0.0 } else { away / variance.max(f64::MIN_POSITIVE).sqrt() }
}
