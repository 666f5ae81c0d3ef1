//! Limits of lost attempts and of cache misses beyond which numbers are partly or not comparable.

use super::{Grade, LevelCalls};

/// Maximum share of lost attempts or tasks with little weight: 5 of the 91 published tasks.
///
/// Cache misses up to this share have no weight. Missing tasks and failed attempts up to this share
/// have the weight [`Grade::Limited`].
///
/// Attempts are lost by a cache miss, by a technical failure, or because they were left out. In an
/// exact `McNemar` test over 91 pairs, 6 tasks that all changed the same way separate two runs at
/// 0.05 (2 · ½⁶ = 0.031), but 5 lost tasks alone cannot separate them.
pub const LOST_COMPARABLE: f64 = 5.0 / 91.0;

/// Maximum share of attempts with a cache miss. Above it, the score depends more on the cached
/// responses than on the model.
///
/// In the published runs, 69.6 % of 15 × 91 attempts made only calls that another published model
/// also made. A new model can therefore expect a cache miss in 30.4 % of its tasks. A run above
/// this share was answered worse than a typical new model.
pub const LOST_LIMITED: f64 = 0.304;

/// Minimum share of answered look-ups at which cache misses have no weight.
///
/// The published runs looked up 99 calls on average, so this share allows 5 misses. With the
/// published cached responses, 788 of the published runs' own 790 calls are answered, and 116 of
/// 118 in the worst run.
pub const HIT_RATE_COMPARABLE: f64 = 0.95;

/// Minimum share of answered look-ups. Below it, numbers are not comparable.
///
/// 62.8 % of the published models' calls were also made by another published model. A new model can
/// expect this share of answers.
pub const HIT_RATE_LIMITED: f64 = 0.628;

/// Grade of cache misses: the worse of two grades, by the share of calls and by the share of
/// attempts.
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
