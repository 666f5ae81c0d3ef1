//! How many tasks it would take to separate two reports that truly differ by [`MARGIN`], by the
//! spread that was seen.
//!
//! Unlike what the difference that was seen would take, this says the same of a pair whose
//! difference happens to be small.

use super::MARGIN;
use super::power::{MOST_TASKS, ROUNDING, mean as by_standardized, shares};

/// A yes-or-no metric: so many tasks of all that only one of the two solved.
pub(super) fn binary(discordant: usize, tasks: usize) -> Option<u32> {
    // Where the two differ by the margin, at least that share of the tasks is solved by one alone.
    let share = (discordant as f64 / tasks as f64).max(MARGIN);
    (discordant > 0).then(|| shares(share, MARGIN)).and_then(whole)
}

/// A mean over tasks, from what each of them adds to the difference.
pub(super) fn mean(added: &[f64]) -> Option<u32> {
    let count = added.len() as f64;
    let mean = added.iter().sum::<f64>() / count;
    let squares: f64 = added.iter().map(|one| (one - mean).powi(2)).sum();
    // Each task adds its share, one over the tasks of its difference.
    let deviation = (squares / (count - 1.0)).sqrt() * count;
    (added.len() > 1 && deviation > ROUNDING * (mean * count).abs())
        .then(|| by_standardized(MARGIN / deviation))
        .and_then(whole)
}

/// A weighted sum over levels, from the bootstrap's draws of its difference.
pub(super) fn drawn(drawn: &[f64], tasks: usize) -> Option<u32> {
    let deviation = standard_error(drawn)? * (tasks as f64).sqrt();
    whole(by_standardized(MARGIN / deviation))
}

/// The bootstrap's standard error; none where no draw differs but by rounding.
pub(super) fn standard_error(drawn: &[f64]) -> Option<f64> {
    let count = drawn.len() as f64;
    let mean = drawn.iter().sum::<f64>() / count;
    let variance = drawn.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / count;
    let error = variance.sqrt();
    (drawn.len() > 1 && error > ROUNDING * mean.abs()).then_some(error)
}

fn whole(tasks: f64) -> Option<u32> {
    (tasks <= MOST_TASKS).then(|| tasks.ceil() as u32)
}
