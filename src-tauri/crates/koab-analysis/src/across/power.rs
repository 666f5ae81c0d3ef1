//! Smallest difference that a set of items can be expected to detect.

use statrs::distribution::{ContinuousCDF, Normal};

/// Steps of the binary search.
const HALVINGS: usize = 60;

/// Stratum as it enters the power calculation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Weight of the stratum in the combined difference.
    pub weight: f64,
    /// Number of the stratum's items.
    pub items: usize,
    /// Mean square of the items' differences. For yes-or-no items it is the share that only one of
    /// the two models solves.
    pub discordance: f64,
}

/// Difference that is found with a chance of `power` at a two-sided level: Connor's formula
/// (*Biometrics* 43, 1987), solved for the difference, with the variances of all strata summed.
///
/// If two models differ by some amount, at least that share of the items is solved by only one of
/// them. Items on which the two never differed (a discordance of 0) therefore do not make
/// arbitrarily small differences detectable.
pub fn detectable(parts: &[Part], alpha: f64, power: f64) -> f64 {
    let normal = Normal::standard();
    let (level, chance) = (normal.inverse_cdf(1.0 - alpha / 2.0), normal.inverse_cdf(power));
    let share = |part: &Part| part.weight * part.weight / part.items as f64;
    let observed: f64 = parts.iter().map(|part| share(part) * part.discordance).sum();
    let whole: f64 = parts.iter().map(share).sum();
    let is_found = |difference: f64| {
        let none = observed.max(whole * difference);
        let some = none - whole * difference * difference;
        difference >= level * none.sqrt() + chance * some.max(0.0).sqrt()
    };
    if !is_found(1.0) {
        return 1.0;
    }
    let (mut missed, mut found) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(missed, found);
        if is_found(middle) {
            found = middle;
        } else {
            missed = middle;
        }
    }
    found
}
