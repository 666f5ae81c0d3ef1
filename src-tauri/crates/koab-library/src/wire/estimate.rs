//! Estimates of a run.

use koab_core::level::Level;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Expected calls, tokens, cost and time of a run or fork.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Estimate {
    /// Number of model calls.
    pub calls: f64,
    /// Number of prompt tokens.
    pub prompt_tokens: f64,
    /// Number of completion tokens.
    pub completion_tokens: f64,
    /// Cost in USD; null if the model's price is not known.
    pub usd: Option<f64>,
    /// Minutes at the concurrency of the run; null if the speed of the model is not known.
    pub minutes: Option<f64>,
    /// Sentence on the source of the figures.
    pub from: Sentence,
}

/// A time limit that is too short for most attempts at some levels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ShortLimit {
    /// The levels with a time limit that is too short.
    pub levels: Vec<Level>,
    /// Mean seconds of an attempt at the slowest level in `levels`.
    pub attempt_s: f64,
    /// The time limit of an attempt, in seconds.
    pub limit_s: f64,
    /// Time limit in seconds that nearly all attempts would meet.
    pub fits_s: f64,
}
