//! Agreement coefficients with intervals from resampled tasks. The coefficients are computed from
//! counts that can be added over tasks.
//!
//! Each coefficient of [`koab_core::judge::agreement`] is a function of counts that are sums over
//! questions. These sums are stored for each task, and a resample adds the sums of the drawn tasks.
//! All questions about a task, of all runs and metrics, are drawn together, since they are not
//! independent.

use super::reason::LabReason;
use koab_core::judge::agreement::{Measurement, Undefined};
use koab_core::reason::Reason;
use koab_core::sentence::Sentence;
use koab_core::split_mix::SplitMix;
use koab_report::interval::quantile;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Number of resamples of the tasks for an interval.
pub const DRAWS: usize = 2_000;
const SEED: u64 = 20_251_122;
/// Minimum share of resamples with a value of the coefficient. With a smaller share, no interval is
/// shown.
const MIN_DEFINED_SHARE: f64 = 0.95;
/// Number of distinct answers, which covers 0 and 1 as well as grades from 1 to 5.
const VALUES: usize = 6;

/// Number with its 95 % interval, or the reason why either is missing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LabEstimate {
    /// Value of the coefficient.
    pub value: Option<f64>,
    /// Reason why there is no value.
    pub reason: Option<Sentence>,
    /// Lower end of the 95 % interval, from 2,000 resamples of the tasks.
    pub low: Option<f64>,
    /// Upper end of the 95 % interval.
    pub high: Option<f64>,
    /// Reason why there is no interval although there is a value.
    pub no_interval: Option<Sentence>,
}

impl LabEstimate {
    /// Creates an estimate without a value, with the reason.
    pub(super) fn none(reason: impl Into<Sentence>) -> Self {
        Self { reason: Some(reason.into()), ..Self::default() }
    }
}

/// Answers to one question, one column per judge or person.
pub(super) type Row = Vec<Option<i64>>;

/// Sums that the coefficients are computed from.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    columns: usize,
    /// Number of equal ordered pairs of answers to the same question.
    equal: f64,
    /// Number of all ordered pairs of answers to the same question.
    pairs: f64,
    /// For each pair of columns, the number of questions with each combination of two answers.
    crossed: Vec<[f64; VALUES * VALUES]>,
    /// Number of questions that have an answer in all columns.
    full: f64,
    /// Number of equal ordered pairs of answers on the questions that have an answer in all
    /// columns.
    full_equal: f64,
    /// Number of occurrences of each answer on the questions that have an answer in all columns.
    full_answers: [f64; VALUES],
    /// Coincidence counts of Krippendorff's alpha.
    coincidences: [f64; VALUES * VALUES],
}

impl Counts {
    fn new(columns: usize) -> Self {
        Self {
            columns,
            equal: 0.0,
            pairs: 0.0,
            crossed: vec![[0.0; VALUES * VALUES]; columns * columns.saturating_sub(1) / 2],
            full: 0.0,
            full_equal: 0.0,
            full_answers: [0.0; VALUES],
            coincidences: [0.0; VALUES * VALUES],
        }
    }

    fn count(&mut self, row: &Row) {
        let answers: Vec<usize> = row.iter().flatten().filter_map(|answer| place(*answer)).collect();
        let mut counts = [0.0; VALUES];
        for answer in &answers {
            counts[*answer] += 1.0;
        }
        let several = answers.len() as f64;
        let equal: f64 = counts.iter().map(|n| n * (n - 1.0)).sum();
        self.equal += equal;
        self.pairs += several * (several - 1.0);
        if answers.len() == self.columns {
            self.full += 1.0;
            self.full_equal += equal;
            for (sum, n) in self.full_answers.iter_mut().zip(counts) {
                *sum += n;
            }
        }
        if answers.len() > 1 {
            for a in 0..VALUES {
                for b in 0..VALUES {
                    let same = if a == b { counts[a] * (counts[a] - 1.0) } else { counts[a] * counts[b] };
                    self.coincidences[a * VALUES + b] += same / (several - 1.0);
                }
            }
        }
        let mut pair = 0;
        for one in 0..self.columns {
            for other in one + 1..self.columns {
                let both = |column: usize| row.get(column).copied().flatten().and_then(place);
                if let (Some(a), Some(b)) = (both(one), both(other)) {
                    self.crossed[pair][a * VALUES + b] += 1.0;
                }
                pair += 1;
            }
        }
    }

    fn add(&mut self, other: &Self, times: f64) {
        self.equal += other.equal * times;
        self.pairs += other.pairs * times;
        for (sums, table) in self.crossed.iter_mut().zip(&other.crossed) {
            add_all(sums, table, times);
        }
        self.full += other.full * times;
        self.full_equal += other.full_equal * times;
        add_all(&mut self.full_answers, &other.full_answers, times);
        add_all(&mut self.coincidences, &other.coincidences, times);
    }

    pub(super) fn percent(&self) -> Result<f64, Undefined> {
        if self.columns < 2 {
            return Err(Undefined::OneAnswerer);
        }
        share(self.equal, self.pairs)
    }

    /// Number of questions that both columns answered, the share of equal answers, and Cohen's
    /// kappa.
    pub(super) fn of_pair(&self, pair: usize) -> (usize, Result<f64, Undefined>, Result<f64, Undefined>) {
        let table = &self.crossed[pair];
        let total: f64 = table.iter().sum();
        let equal: f64 = (0..VALUES).map(|i| table[i * VALUES + i]).sum();
        let observed = share(equal, total);
        let by_chance: f64 = (0..VALUES)
            .map(|i| {
                let row: f64 = (0..VALUES).map(|j| table[i * VALUES + j]).sum();
                let column: f64 = (0..VALUES).map(|j| table[j * VALUES + i]).sum();
                row * column
            })
            .sum();
        let kappa = observed.and_then(|observed| beyond(observed, by_chance, total * total));
        (total as usize, observed, kappa)
    }

    pub(super) fn fleiss(&self) -> Result<f64, Undefined> {
        if self.columns < 3 {
            return Err(Undefined::FewerThanThree);
        }
        let answers = self.full * self.columns as f64;
        let observed = share(self.full_equal, answers * (self.columns - 1) as f64)?;
        let by_chance = self.full_answers.iter().map(|n| n * n).sum();
        beyond(observed, by_chance, answers * answers)
    }

    pub(super) fn alpha(&self, measurement: Measurement) -> Result<f64, Undefined> {
        if self.columns < 2 {
            return Err(Undefined::OneAnswerer);
        }
        let margin = |a: usize| self.coincidences[a * VALUES..(a + 1) * VALUES].iter().sum::<f64>();
        let margins: Vec<f64> = (0..VALUES).map(margin).collect();
        let answers: f64 = margins.iter().sum();
        if answers == 0.0 {
            return Err(Undefined::NothingInCommon);
        }
        if margins.iter().filter(|n| **n > 0.0).count() == 1 {
            return Err(Undefined::OneCategory);
        }
        let distance = |a: usize, b: usize| match measurement {
            Measurement::Nominal => f64::from(u8::from(a != b)),
            Measurement::Ordinal if a == b => 0.0,
            Measurement::Ordinal => {
                let (low, high) = (a.min(b), a.max(b));
                let between: f64 = margins[low..=high].iter().sum();
                (between - (margins[low] + margins[high]) / 2.0).powi(2)
            }
        };
        let (mut observed, mut expected) = (0.0, 0.0);
        for a in 0..VALUES {
            for b in 0..VALUES {
                observed += self.coincidences[a * VALUES + b] * distance(a, b);
                expected += margins[a] * margins[b] * distance(a, b);
            }
        }
        Ok(1.0 - (answers - 1.0) * observed / expected)
    }
}

/// Answers by task, with the sums of each task and of all.
pub(super) struct Clustered {
    tasks: Vec<Counts>,
    pub(super) all: Counts,
    /// Resamples, which are drawn once and used for all coefficients of the table.
    draws: Vec<Counts>,
}

impl Clustered {
    /// Creates the sums from answers, each with its task.
    pub(super) fn new<'a>(columns: usize, rows: impl Iterator<Item = (&'a str, Row)>) -> Self {
        let mut by_task: BTreeMap<&str, Counts> = BTreeMap::new();
        for (task, row) in rows {
            let counts = by_task.entry(task).or_insert_with(|| Counts::new(columns));
            counts.count(&row);
        }
        let tasks: Vec<Counts> = by_task.into_values().collect();
        let mut all = Counts::new(columns);
        tasks.iter().for_each(|task| all.add(task, 1.0));
        let draws = draw(&tasks, columns);
        Self { tasks, all, draws }
    }

    /// Value of a coefficient with its interval.
    pub(super) fn estimate(&self, compute: impl Fn(&Counts) -> Result<f64, Undefined>) -> LabEstimate {
        let value = match compute(&self.all) {
            Ok(value) => value,
            Err(why) => return LabEstimate::none(Reason::from(why)),
        };
        let without = |why: LabReason| LabEstimate {
            value: Some(value),
            no_interval: Some(why.into()),
            ..LabEstimate::default()
        };
        if self.tasks.len() < 2 {
            return without(LabReason::OneTaskOnly {});
        }
        let mut coefficients: Vec<f64> = self.draws.iter().filter_map(|draw| compute(draw).ok()).collect();
        if (coefficients.len() as f64) < MIN_DEFINED_SHARE * self.draws.len() as f64 {
            return without(LabReason::DrawsUndefined {});
        }
        LabEstimate {
            value: Some(value),
            reason: None,
            low: Some(quantile(&mut coefficients, 0.025)),
            high: Some(quantile(&mut coefficients, 0.975)),
            no_interval: None,
        }
    }
}

/// Draws as many tasks as there are, with replacement, [`DRAWS`] times.
fn draw(tasks: &[Counts], columns: usize) -> Vec<Counts> {
    if tasks.len() < 2 {
        return Vec::new();
    }
    let mut mix = SplitMix(SEED);
    let one = |_| {
        let mut times = vec![0_u32; tasks.len()];
        for _ in 0..tasks.len() {
            times[mix.below(tasks.len())] += 1;
        }
        let mut sum = Counts::new(columns);
        for (task, times) in tasks.iter().zip(times).filter(|(_, times)| *times > 0) {
            sum.add(task, f64::from(times));
        }
        sum
    };
    (0..DRAWS).map(one).collect()
}

fn place(answer: i64) -> Option<usize> {
    usize::try_from(answer).ok().filter(|place| *place < VALUES)
}

fn add_all<const N: usize>(sums: &mut [f64; N], more: &[f64; N], times: f64) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more * times;
    }
}

fn share(part: f64, whole: f64) -> Result<f64, Undefined> {
    if whole > 0.0 { Ok(part / whole) } else { Err(Undefined::NothingInCommon) }
}

/// Agreement beyond chance: the kappa for an observed share of equal answers.
///
/// The counts are whole numbers, so the test for equality is exact.
fn beyond(observed: f64, part: f64, whole: f64) -> Result<f64, Undefined> {
    if part == whole {
        return Err(Undefined::OneCategory);
    }
    let expected = part / whole;
    Ok((observed - expected) / (1.0 - expected))
}
