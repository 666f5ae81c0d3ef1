//! Estimates of a run.

use koab_core::level::Level;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Expected calls, tokens, cost and time of a run or fork.
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
    /// Sentence on the source of the figures.
    pub from: Sentence,
}

/// A time limit that is too short for most attempts at some levels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ShortLimit {
    /// The levels concerned.
    pub levels: Vec<Level>,
    /// Mean seconds of an attempt at the slowest of the levels.
    pub attempt_s: f64,
    /// The time limit of an attempt, in seconds.
    pub limit_s: f64,
    /// Seconds within which nearly all attempts would end.
    pub fits_s: f64,
}
