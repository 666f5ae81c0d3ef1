//! Comparison of all pairs of many reports by one yes-or-no metric. A thousand reports need half a
//! million exact McNemar tests.
//!
//! The solved tasks of a report are stored as bits, so a pair needs only a few bit counts and a
//! look-up in a table of p values. The result for a pair is one [`Pair`] of six bytes.

use super::mcnemar::Table;
use super::{ALPHA, Outcomes};
use koab_core::level::Level;
use koab_core::reason::Reason;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_report::comparability::Grade;
use std::collections::HashMap;

/// Scored tasks and solved tasks of a report under one metric, as bit sets.
#[derive(Clone, Debug)]
struct Solved {
    scored: Vec<u64>,
    solved: Vec<u64>,
}

/// Reports under one metric, prepared for comparisons.
pub struct Matrix {
    rows: Vec<Result<Solved, Sentence>>,
    p: Table,
}

/// Result for two reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Number of tasks that only the first report solved.
    pub lost: u16,
    /// Number of tasks that only the second report solved.
    pub won: u16,
    /// Comparability of the two reports. Only [`Grade::NotComparable`] prevents the test.
    pub grade: Grade,
    /// Whether there are tasks that both reports have a score of.
    pub has_tasks: bool,
}

impl Pair {
    /// Whether the pair has a p value.
    pub fn is_tested(self) -> bool {
        self.grade != Grade::NotComparable && self.has_tasks
    }
}

/// Counts over all pairs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Number of pairs that were tested.
    pub tested: usize,
    /// Number of tested pairs whose p value is below 0.05.
    pub separated: usize,
    /// Number of pairs that remain separated after Holm's correction over all tested pairs.
    pub separated_holm: usize,
    /// Number of pairs that may not be compared.
    pub refused: usize,
}

impl Matrix {
    /// Prepares reports for a comparison by a metric, over one level or over all levels. For a
    /// report without the metric, the reason is stored.
    pub fn new(outcomes: &[Outcomes], metric: MetricId, level: Option<&Level>) -> Self {
        let mut places: HashMap<(&Level, &str), usize> = HashMap::new();
        for of in outcomes.iter().flat_map(|report| &report.levels) {
            for task in &of.tasks {
                let next = places.len();
                places.entry((&of.level, task.as_str())).or_insert(next);
            }
        }
        let words = places.len().div_ceil(64);
        let row = |report: &Outcomes| {
            let mut row = Solved { scored: vec![0; words], solved: vec![0; words] };
            let mut levels =
                report.levels.iter().filter(|of| level.is_none_or(|level| of.level == *level)).peekable();
            if let Some(why) = &report.unmeasured
                && metric == MetricId::Sr
                && level.is_none()
            {
                return Err(why.clone());
            }
            if report.levels.is_empty() {
                return Err(Reason::SummaryOnly {}.into());
            }
            if levels.peek().is_none() {
                return Err(Reason::NotEvaluated {}.into());
            }
            for of in levels {
                let bits = of.metrics.iter().find(|(id, ..)| *id == metric);
                let Some((_, scored, solved)) = bits else {
                    let metric = metric.to_string();
                    return Err(Reason::NotYesOrNo { metric }.into());
                };
                for (at, task) in of.tasks.iter().enumerate() {
                    let place = places[&(&of.level, task.as_str())];
                    let bit = |words: &[u64]| {
                        words.get(at / 64).map_or(0, |word| word >> (at % 64) & 1) << (place % 64)
                    };
                    row.scored[place / 64] |= bit(scored);
                    row.solved[place / 64] |= bit(solved);
                }
            }
            Ok(row)
        };
        Self { rows: outcomes.iter().map(row).collect(), p: Table::new(places.len()) }
    }

    /// Solved and scored tasks of a report.
    ///
    /// # Errors
    /// The reason why the report lacks the metric and is compared with no other report.
    pub fn counts(&self, report: usize) -> Result<(u32, u32), &Sentence> {
        let ones = |words: &[u64]| words.iter().map(|word| word.count_ones()).sum();
        match self.rows.get(report) {
            Some(Ok(row)) => Ok((ones(&row.solved), ones(&row.scored))),
            Some(Err(reason)) => Err(reason),
            None => Err(const { &Sentence::EMPTY }),
        }
    }

    /// Compares two reports, given by their indexes, on the tasks that both have a score of.
    pub fn pair(&self, first: usize, second: usize, grade: Grade) -> Pair {
        let none = Pair { lost: 0, won: 0, grade, has_tasks: false };
        let (Some(Ok(one)), Some(Ok(other))) = (self.rows.get(first), self.rows.get(second)) else {
            return none;
        };
        let (mut lost, mut won, mut shared) = (0, 0, 0);
        for at in 0..one.scored.len() {
            let both = one.scored[at] & other.scored[at];
            shared |= both;
            lost += (both & one.solved[at] & !other.solved[at]).count_ones();
            won += (both & other.solved[at] & !one.solved[at]).count_ones();
        }
        let count = |tasks: u32| u16::try_from(tasks).unwrap_or(u16::MAX);
        Pair { lost: count(lost), won: count(won), has_tasks: shared != 0, ..none }
    }

    /// Pairs of the report at this position with each later report.
    pub fn row(&self, order: &[usize], at: usize, grade: &impl Fn(usize, usize) -> Grade) -> Vec<Pair> {
        let later = order[at + 1..].iter();
        later.map(|second| self.pair(order[at], *second, grade(order[at], *second))).collect()
    }

    /// All pairs of the reports in this order: the first report with each later one, then the
    /// second, and so on.
    pub fn pairs(&self, order: &[usize], grade: impl Fn(usize, usize) -> Grade) -> Vec<Pair> {
        let rows = 0..order.len();
        rows.flat_map(|at| self.row(order, at, &grade)).collect()
    }

    /// p value of a pair; `None` when the pair is not tested.
    pub fn p(&self, pair: Pair) -> Option<f64> {
        pair.is_tested().then(|| self.p.p(pair.lost.into(), pair.won.into()))
    }

    /// Counts over pairs, and the largest p value that is significant after Holm's correction over
    /// them; 0 without such a value.
    pub fn summary(&self, pairs: &[Pair]) -> (Summary, f64) {
        // There are far fewer distinct p values than pairs, so pairs are first counted by their
        // tasks.
        let mut counts: HashMap<(u16, u16), usize> = HashMap::new();
        let mut not_comparable = 0;
        for pair in pairs {
            if pair.is_tested() {
                let key = (pair.lost.min(pair.won), pair.lost.max(pair.won));
                *counts.entry(key).or_default() += 1;
            }
            not_comparable += usize::from(pair.grade == Grade::NotComparable);
        }
        let mut values: Vec<(f64, usize)> = counts
            .into_iter()
            .map(|((fewer, more), count)| (self.p.p(fewer.into(), more.into()), count))
            .collect();
        values.sort_by(|one, other| one.0.total_cmp(&other.0));
        let tested: usize = values.iter().map(|(_, count)| count).sum();
        let below = values.iter().filter(|(p, _)| *p < ALPHA);
        let mut summary = Summary {
            tested,
            separated: below.map(|(_, count)| count).sum(),
            separated_holm: 0,
            refused: not_comparable,
        };
        let mut largest = 0.0;
        for (p, count) in values {
            // Equal p values share one corrected value, that of the first of them.
            if p * (tested - summary.separated_holm) as f64 >= ALPHA {
                break;
            }
            summary.separated_holm += count;
            largest = p;
        }
        (summary, largest)
    }
}
