//! McNemar's exact test of the tasks that only one of two reports solved.
//!
//! The test shows whether one report has a larger share of these tasks than a coin toss would give
//! (McNemar 1947). The exact form is the two-sided sign test.

use statrs::distribution::{Binomial, DiscreteCDF};

/// Largest number of discordant tasks whose p values [`Table`] stores. Only one of the two reports
/// solved such a task.
const MAX_TABLE_TASKS: usize = 256;

/// Two-sided p value, from the number of tasks that only the first report solved and that only the
/// second report solved. It is 1 without such tasks.
pub fn exact(lost: usize, won: usize) -> f64 {
    let tasks = (lost + won) as u64;
    let fewer = lost.min(won) as u64;
    // Both tails have the same probability. At the middle their sum counts it twice.
    Binomial::new(0.5, tasks).map_or(1.0, |coin| (2.0 * coin.cdf(fewer)).min(1.0))
}

/// p values of all pairs of counts that can occur, for half a million look-ups.
#[derive(Clone, Debug)]
pub struct Table {
    rows: Vec<Vec<f64>>,
}

impl Table {
    /// Creates the table for reports with at most this many tasks.
    pub fn new(tasks: usize) -> Self {
        let row = |n: usize| (0..=n / 2).map(|fewer| exact(fewer, n - fewer)).collect();
        Self { rows: (0..=tasks.min(MAX_TABLE_TASKS)).map(row).collect() }
    }

    /// Two-sided p value, equal to the result of [`exact`].
    pub fn p(&self, lost: usize, won: usize) -> f64 {
        let row = self.rows.get(lost + won);
        let value = row.and_then(|row| row.get(lost.min(won))).copied();
        value.unwrap_or_else(|| exact(lost, won))
    }
}
