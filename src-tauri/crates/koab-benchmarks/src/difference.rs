//! What the corrected rules do differently from the published ones, for documents and screens.

/// One known fault of a benchmark's own scoring, and what is done instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Difference {
    /// Stable name.
    pub id: &'static str,
    /// The metrics it touches; empty means tables only.
    pub metrics: &'static [&'static str],
    /// What the published rules do.
    pub published: &'static str,
    /// What the corrected rules do.
    pub corrected: &'static str,
}
