//! Two models over several benchmarks at once: where they differ, how sure that is, and what this
//! set could have found.
//!
//! Items are compared in pairs and lie in strata, a group of a benchmark each. Every stratum has
//! its difference, an interval, and a test (McNemar's where items are yes or no, else the sign-flip
//! test), corrected by Holm over the strata. The combined difference is a weighted sum of the
//! strata's (a stratified mean; Cochran 1977, chapter 5), whose weights are named: each item counts
//! the same, or each benchmark. It never stands alone: whether the benchmarks agree is said beside
//! it (Cochran's Q, *Biometrics* 10, 1954; I², Higgins, Thompson 2002), and how small a difference
//! they could have found. Items that all say the same are no certainty: their intervals have the
//! width that their number leaves, and what is found with them is bounded.

mod combine;
mod heterogeneity;
mod power;
mod score_interval;
pub mod simulation;
mod stratum;
#[cfg(test)]
mod tests;

pub use combine::{
    Across, AcrossBenchmark, AcrossCombined, AcrossOptions, AcrossRefusal, AcrossWeights, across,
};
pub use heterogeneity::{Heterogeneity, heterogeneity};
pub use power::{Part, detectable};
pub use score_interval::paired_shares;
pub use stratum::{AcrossItem, AcrossStratum};
