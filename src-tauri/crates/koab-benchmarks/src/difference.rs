//! Differences of the corrected rules from the published ones, for documents and screens.

/// Known fault of a benchmark's own scoring, and its correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Difference {
    /// Stable name of the difference.
    pub id: &'static str,
    /// Metrics that the difference affects; empty if it affects tables only.
    pub metrics: &'static [&'static str],
    /// Behaviour of the published rules.
    pub published: &'static str,
    /// Behaviour of the corrected rules.
    pub corrected: &'static str,
}
