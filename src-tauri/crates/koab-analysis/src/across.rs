//! Comparison of two models over several benchmarks: the differences, their certainty, and the
//! smallest detectable difference.
//!
//! Items are compared in pairs and belong to strata; a stratum is one group of one benchmark. Every
//! stratum has a difference, an interval and a test (McNemar's where items are yes or no, else the
//! sign-flip test), corrected by Holm over the strata. The combined difference is a weighted sum of
//! the strata's differences (a stratified mean; Cochran 1977, chapter 5): either each item has the
//! same weight, or each benchmark.
//!
//! The combined difference is always reported with the heterogeneity of the benchmarks (Cochran's
//! Q, *Biometrics* 10, 1954; I², Higgins, Thompson 2002) and with the smallest detectable
//! difference. Items without a difference do not count as certainty: the width of their intervals
//! depends on their number, and the detectable difference has a lower bound.

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
