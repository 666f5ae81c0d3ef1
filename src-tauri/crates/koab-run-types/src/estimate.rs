//! What a run would take.

use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What something is expected to take.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Estimate {
    /// Model calls.
    pub calls: f64,
    /// Prompt tokens.
    pub prompt_tokens: f64,
    /// Completion tokens.
    pub completion_tokens: f64,
    /// USD; null when the model's price is not known.
    pub usd: Option<f64>,
    /// Minutes at the run's concurrency.
    pub minutes: f64,
    /// Where the figures come from.
    pub from: Sentence,
}
