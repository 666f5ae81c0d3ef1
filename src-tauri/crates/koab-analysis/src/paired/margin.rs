//! Number of tasks that would separate two reports with a true difference of [`MARGIN`], for the
//! observed spread.
//!
//! In contrast to a number for the observed difference, it is also meaningful if the observed
//! difference happens to be small.

use super::MARGIN;
use super::power::{MAX_TASKS, ROUNDING, mean as by_standardized, shares};

/// Number of tasks needed to detect [`MARGIN`] in a yes-or-no metric, if `discordant` of `tasks`
/// observed tasks were solved in one of the two reports alone.
pub(super) fn binary(discordant: usize, tasks: usize) -> Option<u32> {
    // If the two differ by the margin, only one of them solves at least that share of the tasks.
    let share = (discordant as f64 / tasks as f64).max(MARGIN);
    (discordant > 0).then(|| shares(share, MARGIN)).and_then(whole)
}

/// Number of tasks needed to detect [`MARGIN`] in a mean over tasks, from each task's contribution
/// to the observed difference.
pub(super) fn mean(added: &[f64]) -> Option<u32> {
    let count = added.len() as f64;
    let mean = added.iter().sum::<f64>() / count;
    let squares: f64 = added.iter().map(|one| (one - mean).powi(2)).sum();
    // A contribution is the task's difference divided by the number of tasks.
    let deviation = (squares / (count - 1.0)).sqrt() * count;
    (added.len() > 1 && deviation > ROUNDING * (mean * count).abs())
        .then(|| by_standardized(MARGIN / deviation))
        .and_then(whole)
}

/// Number of tasks needed to detect [`MARGIN`] in a weighted sum over levels, from the bootstrap
/// draws of its difference and the number of observed tasks.
pub(super) fn drawn(drawn: &[f64], tasks: usize) -> Option<u32> {
    let deviation = standard_error(drawn)? * (tasks as f64).sqrt();
    whole(by_standardized(MARGIN / deviation))
}

/// Standard error from the bootstrap draws; `None` if the draws differ only by rounding.
pub(super) fn standard_error(drawn: &[f64]) -> Option<f64> {
    let count = drawn.len() as f64;
    let mean = drawn.iter().sum::<f64>() / count;
    let variance = drawn.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / count;
    let error = variance.sqrt();
    (drawn.len() > 1 && error > ROUNDING * mean.abs()).then_some(error)
}

fn whole(tasks: f64) -> Option<u32> {
    (tasks <= MAX_TASKS).then(|| tasks.ceil() as u32)
}
