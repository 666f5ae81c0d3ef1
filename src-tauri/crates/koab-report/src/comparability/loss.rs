//! How calls weigh that found no answer.

use super::{Grade, LevelCalls};

/// Share of attempts or tasks that may be lost while a comparison stands: 5 of the 91.
///
/// Lost is what met a call without a cached response, failed for technical reasons, or was left
/// out. With an exact `McNemar` test over 91 pairs it takes 6 tasks that all changed the same way
/// to tell two runs apart at 0.05 (2 · ½⁶ = 0.031), so what happens to 5 cannot do it by itself.
pub const LOST_COMPARABLE: f64 = 5.0 / 91.0;

/// Share of attempts that may have met a missing record before the score says more of the
/// recordings than of the model.
///
/// Had every published model only had the calls of the other published models to draw on, 30.4 % of
/// its tasks would have met one (all calls are covered for 69.6 % of 15 × 91): a run that lost more
/// was served worse than a typical new model.
pub const LOST_LIMITED: f64 = 0.304;

/// Share of looked-up calls that found an answer, from which on misses weigh nothing.
///
/// The published runs looked up 99 on average, so this is 5 of them again. Compared with the
/// published recordings 788 of 790 of their own calls are answered, and 116 of 118 in the worst
/// run.
pub const HIT_RATE_COMPARABLE: f64 = 0.95;

/// The same share below which nothing is comparable.
///
/// 62.8 % of the published models' calls were also made by another one, which is what a new model
/// can expect of the recordings.
pub const HIT_RATE_LIMITED: f64 = 0.628;

/// How misses weigh: by the calls that found no answer and by the attempts that met one, whichever
/// is worse.
pub(super) fn grade_of_misses(calls: &LevelCalls) -> Grade {
    let rate = calls.answered_rate().unwrap_or(1.0);
    if calls.lost() > LOST_LIMITED || rate < HIT_RATE_LIMITED {
        Grade::NotComparable
    } else if calls.lost() > LOST_COMPARABLE || rate < HIT_RATE_COMPARABLE {
        Grade::Limited
    } else {
        Grade::Comparable
    }
}

/// How shares of attempts that lost a call to a missing record weigh, by how far they are apart.
pub(super) fn grade_of_loss(one: f64, other: f64) -> Grade {
    let apart = (one - other).abs();
    if apart > LOST_LIMITED {
        Grade::NotComparable
    } else if apart > LOST_COMPARABLE {
        Grade::Limited
    } else {
        Grade::Comparable
    }
}
