//! Weights of cache misses.

use super::{Grade, LevelCalls};

/// Share of attempts or tasks that may be lost without limiting a comparison: 5 of the 91.
///
/// Lost attempts had a cache miss, failed for technical reasons, or were left out. With an exact
/// `McNemar` test over 91 pairs, 6 tasks that all changed the same way separate two runs at 0.05 (2
/// · ½⁶ = 0.031), so 5 lost tasks cannot do it alone.
pub const LOST_COMPARABLE: f64 = 5.0 / 91.0;

/// Share of attempts with a cache miss above which the score says more about the cached responses
/// than about the model.
///
/// If every published model had only had the cached calls of the other published models, 30.4 % of
/// its tasks would have had a cache miss (all calls are covered for 69.6 % of 15 × 91). A run that
/// lost more was served worse than a typical new model.
pub const LOST_LIMITED: f64 = 0.304;

/// Share of looked-up calls with an answer, from which on cache misses have no weight.
///
/// The published runs looked up 99 calls on average, so the share again allows 5 misses. With the
/// published cached responses 788 of 790 of their own calls are answered, and 116 of 118 in the
/// worst run.
pub const HIT_RATE_COMPARABLE: f64 = 0.95;

/// Share of looked-up calls with an answer, below which nothing is comparable.
///
/// 62.8 % of the published models' calls were also made by another one. A new model can expect this
/// share of answers.
pub const HIT_RATE_LIMITED: f64 = 0.628;

/// Grade of cache misses: by the share of calls and by the share of attempts, the worse of the two.
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

/// Grade of the difference between two shares of attempts with a cache miss.
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
