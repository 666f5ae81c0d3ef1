//! What a gate is asked, and what cannot be asked.

use super::flips::JudgeFlips;
use koab_core::Say;

/// Fewest answers that were judged twice: of fewer, the share that differs is not known well enough
/// to be undone.
pub(super) const LEAST_ASKED: u32 = 50;

/// The share of `alpha` that looks spend. Information is known by the outcomes alone, and a gate
/// ends when these happen to spread little; the rest pays for that.
const SPENT: f64 = 0.8;

/// What the gate is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct GateOptions {
    /// The loss that is too much, such as 0.05.
    pub margin: f64,
    /// How often a pass may be wrong at a loss of the margin, and a fail at no loss.
    pub alpha: f64,
    /// How often a candidate without a loss is to pass.
    pub power: f64,
    /// Looks that are planned.
    pub looks: usize,
    /// Attempts that may be made, both sides together.
    pub most_attempts: Option<usize>,
    /// Seed of the order of the tasks.
    pub seed: u64,
    /// Whether the baseline can be tried again. If not, its attempts at hand are all there are.
    pub is_baseline_open: bool,
    /// How often the judge contradicts itself.
    pub flips: Option<JudgeFlips>,
    /// Whether that is still to be found out: then a first look waits for enough answers to ask
    /// about again.
    pub asks_again: bool,
    /// Whether a judge's kept verdicts come again at each attempt at a task, as they do where
    /// answers are drawn without chance: then tasks are what spreads, and more attempts at them
    /// tell nothing new.
    pub is_repeated: bool,
}

impl GateOptions {
    /// What of `alpha` looks spend.
    pub(super) fn spent(&self) -> f64 {
        SPENT * self.alpha
    }
}

impl Default for GateOptions {
    fn default() -> Self {
        Self {
            margin: 0.05,
            alpha: 0.05,
            power: 0.8,
            looks: 5,
            most_attempts: None,
            seed: koab_report::interval::SEED,
            is_baseline_open: true,
            flips: None,
            asks_again: false,
            is_repeated: false,
        }
    }
}

/// What cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Say)]
pub enum GateRefusal {
    /// There is nothing to compare.
    #[error("the gate needs at least two tasks of one pack")]
    NoTasks,
    /// The baseline has nothing to hold against.
    #[error(
        "the baseline has no score of {count} tasks and cannot be tried again; take a report of the whole pack"
    )]
    NoBaseline {
        /// Tasks without a score.
        count: usize,
    },
    /// The margin is no share.
    #[error("the margin lies above 0 and below 1, such as 0.05 for five points")]
    Margin,
    /// Level or power are no chances.
    #[error("alpha lies above 0 and below 0.5, power above alpha and below 1")]
    Chances,
    /// Too few answers were judged twice.
    #[error("the judge's own differences rest on {asked} answers; ask at least {LEAST_ASKED} of them twice")]
    Flips {
        /// Answers that were judged twice.
        asked: u32,
    },
    /// No looks, or too many.
    #[error("the gate looks 1 to 20 times")]
    Looks,
}
