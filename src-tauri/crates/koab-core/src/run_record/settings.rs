//! The settings of a run that its results depend on. The files of a run contain them, and so do the
//! facts of a comparison of two runs. Requests for runs, sweeps, forks and gates (tests of a
//! model against a baseline) choose them.

use crate::protocol::Protocol;
use crate::say;
use crate::sentence::Sentence;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Maximum time limit of a task, in seconds.
const MAX_TIMEOUT_S: f64 = 86_400.0;

/// The settings of a run that its results depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RunSettings {
    /// Protocol of the run.
    pub protocol: Protocol,
    /// Number of attempts at each task, 1 or more.
    pub repetitions: u32,
    /// Maximum number of model turns of an attempt. The second phase of L5 has the same limit
    /// again.
    pub max_steps: u32,
    /// Time limit of a task in seconds. In a conversation it is the limit of each turn that the
    /// model takes.
    pub timeout_s: f64,
    /// Whether the model takes every turn of an L6/L7 conversation. Otherwise the dataset provides
    /// the earlier turns, and the model takes only the last one.
    pub full_rollout: bool,
    /// Sampling temperature.
    pub temperature: f64,
    /// Maximum number of output tokens of a model call; `None` sends no limit.
    pub max_tokens: Option<u32>,
    /// Reasoning effort: `low`, `medium` or `high`; `None` for the model's default.
    pub effort: Option<String>,
    /// Sampling seed; `None` sends no seed.
    pub seed: Option<u64>,
}

impl RunSettings {
    /// The published settings: temperature 0.7, 1,024 output tokens, 10 steps, 60 s per task, one
    /// attempt.
    pub fn published() -> Self {
        Self {
            protocol: Protocol::Leaderboard,
            repetitions: 1,
            max_steps: 10,
            timeout_s: 60.0,
            full_rollout: false,
            temperature: 0.7,
            max_tokens: Some(1024),
            effort: None,
            seed: None,
        }
    }

    /// [`RunSettings::timeout_s`] as a duration.
    pub fn timeout(&self) -> Duration {
        Duration::try_from_secs_f64(self.timeout_s).unwrap_or(Duration::MAX)
    }
}

/// [`RunSettings`] as a user requests them. The temperature and the output limit may be left to the
/// benchmark of the pack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RequestedSettings {
    /// Protocol of the run.
    pub protocol: Protocol,
    /// Number of attempts per task, at least 1.
    pub repetitions: u32,
    /// Maximum number of model turns per attempt.
    #[serde(default = "max_steps")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<u32>", optional))]
    pub max_steps: u32,
    /// Time limit of an attempt, in seconds.
    #[serde(default = "timeout_s")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<f64>", optional))]
    pub timeout_s: f64,
    /// Whether the model plays every turn of L6 and L7. Otherwise it plays only the last turn.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub full_rollout: bool,
    /// Sampling temperature. If left out, the default of the pack's benchmark applies.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub temperature: Option<f64>,
    /// Maximum number of output tokens per model call. If left out, the default of the pack's
    /// benchmark applies.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub max_tokens: Option<u32>,
    /// Reasoning effort: `low`, `medium` or `high`.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub effort: Option<String>,
    /// Sampling seed.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub seed: Option<u64>,
}

/// Bounds of a numeric setting on the user interface's form for a new run. They are narrower than
/// those of [`RequestedSettings::check`].
#[cfg(feature = "typescript")]
#[derive(Clone, Copy, Debug, Serialize)]
pub struct FormBounds {
    /// Smallest value.
    pub min: u32,
    /// Largest value; `None` if any larger integer that the setting's type can hold is allowed.
    pub max: Option<u32>,
    /// Change of the value by one click on the arrows of the input field; `None` for the browser's
    /// default of 1.
    pub step: Option<f64>,
    /// Whether fractions are allowed.
    pub is_fraction: bool,
}

/// Numeric settings on the form for a new run, by name, in the order of its input fields.
#[cfg(feature = "typescript")]
pub const FORM_NUMBERS: [(&str, FormBounds); 5] = [
    ("max_steps", FormBounds { min: 1, max: Some(1000), step: None, is_fraction: false }),
    ("timeout_s", FormBounds { min: 1, max: Some(86_400), step: None, is_fraction: true }),
    ("max_tokens", FormBounds { min: 1, max: Some(1_000_000), step: None, is_fraction: false }),
    ("temperature", FormBounds { min: 0, max: Some(2), step: Some(0.1), is_fraction: true }),
    ("seed", FormBounds { min: 0, max: None, step: None, is_fraction: false }),
];

fn max_steps() -> u32 {
    RunSettings::published().max_steps
}

fn timeout_s() -> f64 {
    RunSettings::published().timeout_s
}

impl RequestedSettings {
    /// The published settings, with the sampling of the pack's benchmark.
    pub fn published() -> Self {
        Self { temperature: None, max_tokens: None, ..Self::from(RunSettings::published()) }
    }

    /// Checks the ranges of the settings.
    ///
    /// # Errors
    /// When a setting is out of its range.
    pub fn check(&self) -> Result<(), Sentence> {
        if self.repetitions == 0 || self.max_steps == 0 {
            return Err(say!("repetitions and steps must be 1 or more"));
        }
        if !(self.timeout_s > 0.0 && self.timeout_s <= MAX_TIMEOUT_S) {
            return Err(say!("the time limit must be above 0 and at most 86400 seconds"));
        }
        if self.temperature.is_some_and(|value| !(0.0..=2.0).contains(&value)) {
            return Err(say!("the temperature must be from 0 to 2"));
        }
        Ok(())
    }

    /// Completes the settings by the default temperature and output limit of the pack's benchmark,
    /// `sampling`.
    pub fn with_sampling(self, sampling: (f64, Option<u32>)) -> RunSettings {
        let (temperature, max_tokens) = sampling;
        RunSettings {
            protocol: self.protocol,
            repetitions: self.repetitions,
            max_steps: self.max_steps,
            timeout_s: self.timeout_s,
            full_rollout: self.full_rollout,
            temperature: self.temperature.unwrap_or(temperature),
            max_tokens: self.max_tokens.or(max_tokens),
            effort: self.effort,
            seed: self.seed,
        }
    }
}

impl From<RunSettings> for RequestedSettings {
    fn from(run: RunSettings) -> Self {
        Self {
            protocol: run.protocol,
            repetitions: run.repetitions,
            max_steps: run.max_steps,
            timeout_s: run.timeout_s,
            full_rollout: run.full_rollout,
            temperature: Some(run.temperature),
            max_tokens: run.max_tokens,
            effort: run.effort,
            seed: run.seed,
        }
    }
}
