//! Whether benchmarks tell of one difference or of several.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// How far differences lie apart beyond chance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "AcrossHeterogeneity"))]
pub struct Heterogeneity {
    /// Cochran's Q.
    pub q: f64,
    /// Its p value.
    pub p: f64,
    /// I², the share of their spread that is not chance.
    pub i2: f64,
}

impl Heterogeneity {
    /// Benchmarks disagree: more than chance gives at the level that Cochran's test, which has
    /// little power with few benchmarks, is usually compared with.
    pub fn is_named(self) -> bool {
        self.p < 0.1
    }
}

/// Of differences with their variances; none for fewer than two that have one.
pub fn heterogeneity(differences: &[(f64, f64)]) -> Option<Heterogeneity> {
    let known: Vec<(f64, f64)> = differences.iter().copied().filter(|one| one.1 > 0.0).collect();
    let freedom = known.len().checked_sub(1).filter(|freedom| *freedom > 0)? as f64;
    let whole: f64 = known.iter().map(|(_, variance)| 1.0 / variance).sum();
    let middle = known.iter().map(|(one, variance)| one / variance).sum::<f64>() / whole;
    let q: f64 = known.iter().map(|(one, variance)| (one - middle).powi(2) / variance).sum();
    Some(Heterogeneity {
        q,
        p: ChiSquared::new(freedom).map_or(1.0, |chi| chi.sf(q)),
        i2: if q > freedom { (q - freedom) / q } else { 0.0 },
    })
}
