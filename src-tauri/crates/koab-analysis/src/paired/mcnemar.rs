//! McNemar's exact test: of the tasks that only one of two reports solved, is either one's share
//! more than a coin would give? (McNemar 1947; the exact form is the two-sided sign test.)

use statrs::distribution::{Binomial, DiscreteCDF};

/// Largest number of tasks that only one solved for which [`Table`] keeps p values.
const KEPT: usize = 256;

/// The two-sided p value, from the tasks that only the first and only the second solved. 1 when
/// there are none.
pub fn exact(lost: usize, won: usize) -> f64 {
    let tasks = (lost + won) as u64;
    let fewer = lost.min(won) as u64;
    // Both sides have the same probability, and beyond the middle both together would count it
    // twice.
    Binomial::new(0.5, tasks).map_or(1.0, |coin| (2.0 * coin.cdf(fewer)).min(1.0))
}

/// p values of all pairs of counts that can occur, for those who ask half a million times.
#[derive(Clone, Debug)]
pub struct Table {
    rows: Vec<Vec<f64>>,
}

impl Table {
    /// For reports of at most this many tasks.
    pub fn new(tasks: usize) -> Self {
        let row = |n: usize| (0..=n / 2).map(|fewer| exact(fewer, n - fewer)).collect();
        Self { rows: (0..=tasks.min(KEPT)).map(row).collect() }
    }

    /// As [`exact`].
    pub fn p(&self, lost: usize, won: usize) -> f64 {
        let row = self.rows.get(lost + won);
        let kept = row.and_then(|row| row.get(lost.min(won))).copied();
        kept.unwrap_or_else(|| exact(lost, won))
    }
}
