//! McNemar's exact test: is either report's share of the tasks that only one of the two solved
//! larger than a coin toss would give? (McNemar 1947; the exact form is the two-sided sign test.)

use statrs::distribution::{Binomial, DiscreteCDF};

/// Largest number of discordant tasks, those that only one report solved, whose p values [`Table`]
/// stores.
const MAX_TABLE_TASKS: usize = 256;

/// Two-sided p value, from the tasks that only the first and only the second report solved. It is 1
/// without such tasks.
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
    /// Table for reports of at most this many tasks.
    pub fn new(tasks: usize) -> Self {
        let row = |n: usize| (0..=n / 2).map(|fewer| exact(fewer, n - fewer)).collect();
        Self { rows: (0..=tasks.min(MAX_TABLE_TASKS)).map(row).collect() }
    }

    /// Two-sided p value, as [`exact`] gives it.
    pub fn p(&self, lost: usize, won: usize) -> f64 {
        let row = self.rows.get(lost + won);
        let value = row.and_then(|row| row.get(lost.min(won))).copied();
        value.unwrap_or_else(|| exact(lost, won))
    }
}
