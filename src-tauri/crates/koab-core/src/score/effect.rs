//! What a call did to a score.

use serde::{Deserialize, Serialize};

/// What a call did to a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// It counts for it.
    For,
    /// It counts against it.
    Against,
    /// The metric looked at it, and what it made of it is not the call's doing alone.
    Seen,
}

/// One call in the light of one metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct CallEvidence {
    /// The call, by its place among the task's calls.
    pub call: usize,
    /// What it did.
    pub effect: Effect,
}
