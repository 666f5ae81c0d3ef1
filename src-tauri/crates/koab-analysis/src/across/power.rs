//! The smallest difference that a set of items can be expected to find.

use statrs::distribution::{ContinuousCDF, Normal};

/// A stratum as it counts for the power.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Its weight in the combined difference.
    pub weight: f64,
    /// Its items.
    pub items: usize,
    /// The mean square of its items' differences; of yes or no, the share that only one of the two solves.
    pub discordance: f64,
}

/// The difference that is found with a chance of `power` at a two-sided level: Connor's formula (*Biometrics* 43, 1987) solved
/// for the difference, with the variances of all strata added up.
pub fn detectable(parts: &[Part], alpha: f64, power: f64) -> f64 {
    let normal = Normal::standard();
    let (level, chance) = (normal.inverse_cdf(1.0 - alpha / 2.0), normal.inverse_cdf(power));
    let share = |part: &Part| part.weight * part.weight / part.items as f64;
    let none: f64 = parts.iter().map(|part| share(part) * part.discordance).sum();
    let whole: f64 = parts.iter().map(share).sum();
    // (d − level · √none)² = chance² · (none − d² · whole): the larger root.
    let square = 1.0 + chance * chance * whole;
    let linear = level * none.sqrt();
    let rest = none * (level * level - chance * chance);
    ((linear + (linear * linear - square * rest).max(0.0).sqrt()) / square).min(1.0)
}
