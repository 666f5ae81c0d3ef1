//! Smallest difference that a set of items is expected to detect.

use statrs::distribution::{ContinuousCDF, Normal};

/// Number of steps of the binary search.
const HALVINGS: usize = 60;

/// Data of one stratum for the power calculation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Weight of the stratum in the combined difference.
    pub weight: f64,
    /// Number of the stratum's items.
    pub items: usize,
    /// Mean square of the items' differences. For yes-or-no items it is the share of items that
    /// only one model solves.
    pub discordance: f64,
}

/// Smallest difference that a two-sided test detects with the chance `power`.
///
/// The method is Connor's formula (*Biometrics* 43, 1987), solved for the difference, with the
/// variances of all strata summed. If two models differ by some amount, at least this share of the
/// items is solved by only one model. Items without an observed difference (a discordance of 0)
/// therefore do not make arbitrarily small differences detectable.
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
