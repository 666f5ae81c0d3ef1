//! How many tasks it would take to separate two reports, were the difference that was seen the true
//! one.
//!
//! With power 0.8 at 0.05 two-sided, before any correction. Yes-or-no metrics by Connor's formula
//! for McNemar's test (Connor 1987), others by that of the paired z test.

use statrs::distribution::{ContinuousCDF, Normal};

/// A share of a difference below this share of the largest is rounding.
pub(super) const ROUNDING: f64 = 1e-12;

/// More tasks than this are as good as none to be had.
pub(super) const MOST_TASKS: f64 = 100_000.0;
/// Chance to see a true difference.
const POWER: f64 = 0.8;

/// Quantiles of the standard normal distribution: two-sided level, power.
fn quantiles() -> (f64, f64) {
    let normal = Normal::standard();
    (normal.inverse_cdf(1.0 - super::ALPHA / 2.0), normal.inverse_cdf(POWER))
}

/// Tasks needed, from those that only the first and only the second solved, of so many. Infinite
/// when both are as many.
pub fn binary(lost: usize, won: usize, tasks: usize) -> f64 {
    let share = |count: f64| count / tasks as f64;
    shares(share((lost + won) as f64), share(won as f64 - lost as f64))
}

/// The same from the share of tasks that only one of the two solves, and the difference of the two.
pub fn shares(discordant: f64, difference: f64) -> f64 {
    let (level, power) = quantiles();
    // All tasks solved by one alone leave a spread of 0, and rounding may make it less.
    let spread = (discordant - difference * difference).max(0.0).sqrt();
    (level * discordant.sqrt() + power * spread).powi(2) / (difference * difference)
}

/// Tasks needed, from the mean difference over the standard deviation of the tasks' differences.
pub fn mean(standardized: f64) -> f64 {
    let (level, power) = quantiles();
    ((level + power) / standardized).powi(2)
}
