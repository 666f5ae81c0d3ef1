//! How often a judge contradicts itself, and what that does to a difference.
//!
//! - *In the variance already:* each attempt has a verdict of its own, so whatever a judge says by
//!   chance spreads the outcomes of repeated attempts like the model's own chance, and is in their
//!   standard error.
//! - *Not in it:* attempts with the very same text share a verdict, since verdicts are kept by
//!   text. Their number is taken for fewer ([`super::GateOutcome::answer`]), of all repetitions and
//!   of the baseline's attempts at hand, and at temperature 0 tasks are the unit of spread.
//! - *Drawn together:* a verdict that is wrong as often for a good answer as for a bad one moves
//!   both sides towards a half, and with them their difference towards 0: by `1 − 2e` where the
//!   judge errs alike at all answers ([`JudgeFlips::error`]), which is undone in the estimate; by
//!   up to `1 − 2f` where all contradictions are at a few answers. A fail is as seldom wrong with
//!   either, as both leave 0 at 0. A pass is tested with the smaller one
//!   ([`JudgeFlips::widening`]), and so is wrong as seldom as it says wherever the contradictions
//!   are.

use koab_report::interval::wilson;
use serde::{Deserialize, Serialize};

/// The largest chance of a wrong verdict that is undone; beyond it a judge says next to nothing.
const MOST_ERROR: f64 = 0.25;

/// How often a judge that is asked the same twice says otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JudgeFlips {
    /// Answers that were judged twice.
    pub asked: u32,
    /// Of these judged differently.
    pub differed: u32,
}

impl JudgeFlips {
    /// The share that was judged differently.
    pub fn share(self) -> f64 {
        f64::from(self.differed) / f64::from(self.asked.max(1))
    }

    /// The ends of the share's 95 % interval (Wilson 1927).
    pub fn interval(self) -> [f64; 2] {
        wilson(self.differed as usize, self.asked as usize).map_or([0.0, 1.0], |ends| [ends.low, ends.high])
    }

    /// The chance that one verdict is not what the judge mostly says, `e` with `2e(1 − e)` the
    /// share that differed. At most a quarter, since beyond a judge says next to nothing.
    pub fn error(self) -> f64 {
        ((1.0 - (1.0 - 2.0 * self.share()).max(0.0).sqrt()) / 2.0).min(MOST_ERROR)
    }

    /// How many times as much a difference can have been drawn together as [`Self::error`] says:
    /// `(1 − 2e) / (1 − 2f)`, which is one over `1 − 2e`.
    pub fn widening(self) -> f64 {
        1.0 / (1.0 - 2.0 * self.error())
    }
}
