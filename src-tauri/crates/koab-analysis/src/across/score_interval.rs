//! Intervals of the mean difference of the same items, which hold for few items and for items that
//! all say the same.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Steps of the search for an end.
const HALVINGS: usize = 60;

/// Tango's score interval (*Statistics in Medicine* 17, 1998): all differences that the score test
/// does not rule out, of so many items that only the second and only the first solved.
pub fn paired_shares(won: usize, lost: usize, items: usize, alpha: f64) -> [f64; 2] {
    of_shares(won, lost, items, Normal::standard().inverse_cdf(1.0 - alpha / 2.0))
}

/// The same of so many standard errors to each side.
pub(super) fn of_shares(won: usize, lost: usize, items: usize, reach: f64) -> [f64; 2] {
    let seen = (won as f64 - lost as f64) / items as f64;
    let is_ruled_out = |difference: f64| score(won, lost, items, difference).abs() > reach;
    [-1.0, 1.0].map(|end| {
        let (mut inside, mut outside) = (seen, end);
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

/// The interval of the mean of differences of scores from 0 to 1, of so many standard errors to
/// each side: Agresti and Min's (*Statistics in Medicine* 24, 2005), which counts one item more
/// that either gains, half of it each, and one on which the two agree, so that differences that are
/// all the same are not taken for certainty; with the quantile of t, as the spread is estimated. A
/// single item says nothing.
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
    let seen = sum / count;
    [(middle - reach).clamp(-1.0, seen), (middle + reach).clamp(seen, 1.0)]
}

/// How many standard errors, under the difference itself, what was seen lies from it.
fn score(won: usize, lost: usize, items: usize, difference: f64) -> f64 {
    let (won, lost, items) = (won as f64, lost as f64, items as f64);
    // The share that only the first solves, where the likelihood with this difference is largest.
    let square = 2.0 * items;
    let linear = -won - lost + (2.0 * items - won + lost) * difference;
    let rest = -lost * difference * (1.0 - difference);
    let likely = ((linear * linear - 4.0 * square * rest).max(0.0).sqrt() - linear) / (2.0 * square);
    let variance = items * (2.0 * likely + difference * (1.0 - difference));
    let away = won - lost - items * difference;
    if away == 0.0 { 0.0 } else { away / variance.max(f64::MIN_POSITIVE).sqrt() }
}
