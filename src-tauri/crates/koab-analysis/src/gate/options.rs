//! Options of a gate, and reasons to refuse them.

use super::flips::JudgeFlips;
use koab_core::Say;

/// Minimum number of answers that are judged twice. With fewer answers, the share of contradictions
/// is too uncertain for a correction.
pub(super) const LEAST_ASKED: u32 = 50;

/// Share of `alpha` that is distributed over the looks.
///
/// The available information depends on the outcomes, and a gate ends early when these happen to
/// spread little. The rest of `alpha` compensates for this.
const SPENT_SHARE: f64 = 0.8;

/// Margin, error rates and limits that decide how many attempts a gate makes and when it ends.
#[derive(Clone, Debug, PartialEq)]
pub struct GateOptions {
    /// Loss that the user does not accept, such as 0.05.
    pub margin: f64,
    /// Chance of a wrong pass if the loss equals the margin, and of a wrong fail if there is no
    /// loss.
    pub alpha: f64,
    /// Chance that a candidate without a loss passes.
    pub power: f64,
    /// Number of planned looks.
    pub looks: usize,
    /// Maximum number of attempts, on both sides together.
    pub most_attempts: Option<usize>,
    /// Seed of the order of the tasks.
    pub seed: u64,
    /// Whether new attempts of the baseline can be made. Otherwise only its existing attempts are
    /// used.
    pub is_baseline_open: bool,
    /// Self-contradiction of the judge, if it is known.
    pub flips: Option<JudgeFlips>,
    /// Whether the judge's self-contradiction has to be measured. Then the first look waits until
    /// there are enough answers to judge twice.
    pub asks_again: bool,
    /// Whether all attempts at a task get the same stored verdict, as with deterministic answers.
    ///
    /// The spread is then that between tasks, and more attempts at a task give no information.
    pub is_repeated: bool,
}

impl GateOptions {
    /// Part of `alpha` that is distributed over the looks.
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
    /// The baseline has no score of some tasks, and new attempts of it cannot be made.
    #[error(
        "the baseline has no score for {count} tasks and cannot be run again; take a report of the whole pack"
    )]
    NoBaseline {
        /// Number of tasks without a score.
        count: usize,
    },
    /// The margin is not between 0 and 1.
    #[error("the margin must be above 0 and below 1, such as 0.05 for five points")]
    Margin,
    /// `alpha` or `power` is out of range.
    #[error("alpha must be above 0 and below 0.5, and power above alpha and below 1")]
    Chances,
    /// Too few answers were judged twice.
    #[error(
        "only {asked} answers show how often the judge contradicts itself; have at least {LEAST_ASKED} answers judged twice"
    )]
    Flips {
        /// Number of answers that were judged twice.
        asked: u32,
    },
    /// The number of looks is not from 1 to 20.
    #[error("the number of looks of a gate must be from 1 to 20")]
    Looks,
}
