//! Number of tasks that would separate two reports if the observed difference were the true one.
//!
//! Power is 0.8 at 0.05 two-sided, before any correction. Yes-or-no metrics use Connor's formula
//! for McNemar's test (Connor 1987), others that of the paired z test.

use statrs::distribution::{ContinuousCDF, Normal};

/// Share of the largest contribution below which a contribution to a difference is a rounding
/// error.
pub(super) const ROUNDING: f64 = 1e-12;

/// Maximum number of tasks. A result above it is reported as unattainable.
pub(super) const MAX_TASKS: f64 = 100_000.0;
/// Chance to detect a true difference.
const POWER: f64 = 0.8;

/// Quantiles of the standard normal distribution: for the two-sided level, and for the power.
fn quantiles() -> (f64, f64) {
    let normal = Normal::standard();
    (normal.inverse_cdf(1.0 - super::ALPHA / 2.0), normal.inverse_cdf(POWER))
}

/// Number of tasks needed to detect the difference of a yes-or-no metric.
///
/// `lost` is the number of tasks that only the first report solved, `won` of those that only the
/// second solved, `tasks` of all. The result is infinite if `lost` and `won` are equal.
pub fn binary(lost: usize, won: usize, tasks: usize) -> f64 {
    let share = |count: f64| count / tasks as f64;
    shares(share((lost + won) as f64), share(won as f64 - lost as f64))
}

/// Number of tasks needed to detect the difference of a yes-or-no metric, from the share of tasks
/// that only one of the two reports solves, and the difference of the reports.
pub fn shares(discordant: f64, difference: f64) -> f64 {
    let (level, power) = quantiles();
    // If one report alone solves all discordant tasks, the spread may be 0, and rounding may make
    // it negative.
    let spread = (discordant - difference * difference).max(0.0).sqrt();
    (level * discordant.sqrt() + power * spread).powi(2) / (difference * difference)
}

/// Number of tasks needed to detect the difference of a mean. `standardized` is the mean difference
/// divided by the standard deviation of the tasks' differences.
pub fn mean(standardized: f64) -> f64 {
    let (level, power) = quantiles();
    ((level + power) / standardized).powi(2)
}
