//! The smallest difference that a set of items can be expected to find.

use statrs::distribution::{ContinuousCDF, Normal};

/// Steps of the search.
const HALVINGS: usize = 60;

/// A stratum as it counts for the power.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Its weight in the combined difference.
    pub weight: f64,
    /// Its items.
    pub items: usize,
    /// The mean square of its items' differences; of yes or no, the share that only one of the two
    /// solves.
    pub discordance: f64,
}

/// The difference that is found with a chance of `power` at a two-sided level: Connor's formula
/// (*Biometrics* 43, 1987) solved for the difference, with the variances of all strata added up.
///
/// Two that differ by so much are alone right on at least that share of the items, so items on
/// which the two never differed (a discordance of 0) do not seem to find anything, however small.
pub fn detectable(parts: &[Part], alpha: f64, power: f64) -> f64 {
    let normal = Normal::standard();
    let (level, chance) = (normal.inverse_cdf(1.0 - alpha / 2.0), normal.inverse_cdf(power));
    let share = |part: &Part| part.weight * part.weight / part.items as f64;
    let seen: f64 = parts.iter().map(|part| share(part) * part.discordance).sum();
    let whole: f64 = parts.iter().map(share).sum();
    let is_found = |difference: f64| {
        let none = seen.max(whole * difference);
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
