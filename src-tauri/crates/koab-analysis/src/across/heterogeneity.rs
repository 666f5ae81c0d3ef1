//! Heterogeneity of benchmarks: whether the benchmarks show the same difference or several.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// Spread of the benchmarks' differences beyond chance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "AcrossHeterogeneity"))]
pub struct Heterogeneity {
    /// Cochran's Q.
    pub q: f64,
    /// p value of Q.
    pub p: f64,
    /// I², the share of the spread between benchmarks that exceeds chance.
    pub i2: f64,
}

impl Heterogeneity {
    /// Whether the benchmarks disagree.
    ///
    /// They do if p is below 0.1, the usual level for Cochran's test, which has little power with
    /// few benchmarks.
    pub fn is_named(self) -> bool {
        self.p < 0.1
    }
}

/// Computes the heterogeneity of differences with their variances. `None` when fewer than two
/// variances are above 0.
pub fn heterogeneity(differences: &[(f64, f64)]) -> Option<Heterogeneity> {
    let measured: Vec<(f64, f64)> = differences.iter().copied().filter(|one| one.1 > 0.0).collect();
    let freedom = measured.len().checked_sub(1).filter(|freedom| *freedom > 0)? as f64;
    let whole: f64 = measured.iter().map(|(_, variance)| 1.0 / variance).sum();
    let middle = measured.iter().map(|(one, variance)| one / variance).sum::<f64>() / whole;
    let q: f64 = measured.iter().map(|(one, variance)| (one - middle).powi(2) / variance).sum();
    Some(Heterogeneity {
        q,
        p: ChiSquared::new(freedom).map_or(1.0, |chi| chi.sf(q)),
        i2: if q > freedom { (q - freedom) / q } else { 0.0 },
    })
}
