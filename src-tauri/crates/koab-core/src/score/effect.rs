//! Effect of a call on a score.

use serde::{Deserialize, Serialize};

/// Effect of a call on a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// The call raises the score or satisfies the metric.
    For,
    /// The call lowers the score or fails the metric.
    Against,
    /// The metric reads the call, but the effect does not depend on this call alone.
    Seen,
}

/// The effect of one call on one metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct CallEvidence {
    /// Position of the call among the task's calls.
    pub call: usize,
    /// Effect of the call.
    pub effect: Effect,
}
