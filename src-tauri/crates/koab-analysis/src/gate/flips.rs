//! Self-contradiction of a judge, and its effect on a difference.
//!
//! - *Already in the variance:* each attempt has a verdict of its own, so a judge's random errors
//!   spread the outcomes of repeated attempts, as the model's own randomness does, and are part of
//!   their standard error.
//! - *Not in the variance:* attempts with identical text share a verdict, since verdicts are stored
//!   by text. They count as fewer verdicts ([`super::GateOutcome::answer`]), among repetitions and
//!   among existing attempts of the baseline. At temperature 0, the spread is that between tasks.
//! - *Shrinkage:* a verdict that is wrong equally often for good and bad answers moves both sides
//!   towards one half, and their difference towards 0. If the judge errs equally often at all
//!   answers, the difference shrinks by the factor `1 − 2e` ([`JudgeFlips::error`]), which the
//!   estimate corrects. If all contradictions are about a few answers, it shrinks at most by the
//!   factor `1 − 2f`, with `f` the share of contradictions. A difference of 0 remains 0 with either
//!   factor, so a fail keeps its error rate. A pass is tested with the smaller factor
//!   ([`JudgeFlips::widening`]), so it keeps its error rate wherever the contradictions are.

use koab_report::interval::wilson;
use serde::{Deserialize, Serialize};

/// Maximum chance of a wrong verdict that is corrected for. Above it, a judge gives almost no
/// information.
const MAX_ERROR: f64 = 0.25;

/// Number of answers about which a judge contradicted itself when it was asked the same question
/// twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JudgeFlips {
    /// Number of answers that were judged twice.
    pub asked: u32,
    /// Number of answers in `asked` that were judged differently the second time.
    pub differed: u32,
}

impl JudgeFlips {
    /// Share of the answers that were judged differently.
    pub fn share(self) -> f64 {
        f64::from(self.differed) / f64::from(self.asked.max(1))
    }

    /// Ends of the share's 95 % interval (Wilson 1927).
    pub fn interval(self) -> [f64; 2] {
        wilson(self.differed as usize, self.asked as usize).map_or([0.0, 1.0], |ends| [ends.low, ends.high])
    }

    /// Chance `e` that one verdict differs from the judge's most frequent verdict, where `2e(1 −
    /// e)` is the share of different verdicts.
    ///
    /// The result is at most one quarter, since a judge with more errors gives almost no
    /// information.
    pub fn error(self) -> f64 {
        ((1.0 - (1.0 - 2.0 * self.share()).max(0.0).sqrt()) / 2.0).min(MAX_ERROR)
    }

    /// Additional shrinkage of a difference that the judge's errors may have caused, beyond the
    /// factor of [`Self::error`].
    ///
    /// The factor is `(1 − 2e) / (1 − 2f)`, which equals `1 / (1 − 2e)`.
    pub fn widening(self) -> f64 {
        1.0 / (1.0 - 2.0 * self.error())
    }
}
