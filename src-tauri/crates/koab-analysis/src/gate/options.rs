//! Options of a gate, and reasons to refuse them.

use super::flips::JudgeFlips;
use koab_core::Say;

/// Minimum number of answers that are judged twice; with fewer, the share of contradictions is too
/// uncertain to correct for.
pub(super) const LEAST_ASKED: u32 = 50;

/// Share of `alpha` that the looks spend.
///
/// Information is known only from the outcomes, and a gate ends when these happen to spread little.
/// The rest of `alpha` compensates for that.
const SPENT_SHARE: f64 = 0.8;

/// Options of a gate.
#[derive(Clone, Debug, PartialEq)]
pub struct GateOptions {
    /// Loss that is too much, such as 0.05.
    pub margin: f64,
    /// Error rate of a pass if the loss is the margin, and of a fail if there is no loss.
    pub alpha: f64,
    /// Chance that a candidate without a loss passes.
    pub power: f64,
    /// Number of planned looks.
    pub looks: usize,
    /// Maximum number of attempts, both sides together.
    pub most_attempts: Option<usize>,
    /// Seed of the order of the tasks.
    pub seed: u64,
    /// Whether the baseline can be tried again. If not, only its attempts at hand are used.
    pub is_baseline_open: bool,
    /// Self-contradiction of the judge, if it is known.
    pub flips: Option<JudgeFlips>,
    /// Whether the judge's self-contradiction is still to be measured. The first look then waits
    /// for enough answers to ask about again.
    pub asks_again: bool,
    /// Whether a judge's stored verdict repeats at every attempt at a task, as it does where
    /// answers are drawn without chance.
    ///
    /// Tasks are then the unit of spread, and more attempts at them add no information.
    pub is_repeated: bool,
}

impl GateOptions {
    /// Part of `alpha` that the looks spend.
    pub(super) fn spent(&self) -> f64 {
        SPENT_SHARE * self.alpha
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

/// Reason why a gate cannot be planned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Say)]
pub enum GateRefusal {
    /// There are fewer than two tasks.
    #[error("the gate needs at least two tasks of one pack")]
    NoTasks,
    /// The baseline has no score of some tasks and cannot be tried again.
    #[error(
        "the baseline has no score of {count} tasks and cannot be tried again; take a report of the whole pack"
    )]
    NoBaseline {
        /// Number of tasks without a score.
        count: usize,
    },
    /// The margin is not between 0 and 1.
    #[error("the margin lies above 0 and below 1, such as 0.05 for five points")]
    Margin,
    /// `alpha` or `power` is out of range.
    #[error("alpha lies above 0 and below 0.5, power above alpha and below 1")]
    Chances,
    /// Too few answers were judged twice.
    #[error("the judge's own differences rest on {asked} answers; ask at least {LEAST_ASKED} of them twice")]
    Flips {
        /// Number of answers that were judged twice.
        asked: u32,
    },
    /// The number of looks is not from 1 to 20.
    #[error("the gate looks 1 to 20 times")]
    Looks,
}
