//! What a run would take.

use koab_core::level::Level;
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
    /// Minutes at the run's concurrency; null where the model's speed is not known.
    pub minutes: Option<f64>,
    /// Where the figures come from.
    pub from: Sentence,
}

/// A time limit that attempts at some levels would hardly keep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ShortLimit {
    /// The levels.
    pub levels: Vec<Level>,
    /// Seconds that an attempt at the slowest of them takes on average.
    pub attempt_s: f64,
    /// Seconds that an attempt is given.
    pub limit_s: f64,
    /// Seconds that would do for nearly all.
    pub fits_s: f64,
}
