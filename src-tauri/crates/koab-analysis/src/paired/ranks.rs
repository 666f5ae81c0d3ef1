//! Ranks of many reports with their intervals, and the reports that do not differ from the best.
//!
//! Tasks that all reports have are drawn with replacement within their level, the same draw for
//! every report, and each draw is ranked. A report's interval contains 95 % of its ranks. The best
//! report is also tested against each other one, task by task, with Holm's correction over these
//! tests.

use super::figure::Figure;
use super::{ALPHA, DRAWS, SEED, holm, mcnemar, row, signflip};
use koab_core::level::Level;
use koab_core::reason::Reason;
use koab_core::score::MetricId;
use koab_core::score::composite::CompositeVariant;
use koab_core::sentence::Sentence;
use koab_core::split_mix::SplitMix;
use koab_report::{Report, TaskReport, levels_of};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};

/// Difference of scores below which two scores share a rank.
const ROUNDING: f64 = 1e-12;
/// Number of draws that use the same random stream. The ranks do not depend on the distribution of
/// these blocks.
const BLOCK_DRAWS: usize = 250;

/// Figure that reports are ranked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum RankedBy {
    /// Composite score, in the reading that all reports have.
    Composite,
    /// Success rate over all tasks.
    SuccessRate,
}

impl RankedBy {
    /// All figures that reports can be ranked by.
    pub const ALL: [RankedBy; 2] = [RankedBy::Composite, RankedBy::SuccessRate];

    fn figure(self, reading: CompositeVariant) -> Figure {
        match self {
            RankedBy::Composite => Figure::Composite(reading),
            RankedBy::SuccessRate => Figure::Overall(MetricId::Sr),
        }
    }
}

/// Options of a ranking.
#[derive(Clone, Copy, Debug)]
pub struct RankOptions {
    /// Seed of the draws.
    pub seed: u64,
    /// Number of draws.
    pub draws: usize,
    /// Reading of the composite score.
    pub reading: CompositeVariant,
}

/// Number of draws for each report and rank. The index of a rank is the rank minus 1.
pub type Counts = Vec<Vec<u32>>;

/// Distributes blocks of draws to the counting function, one after another or in parallel, and
/// returns the counts of each part. The division into parts does not change the ranks.
pub type Share<'a> = &'a dyn Fn(&[usize], &(dyn Fn(&[usize]) -> Counts + Sync)) -> Vec<Counts>;

/// Counts all blocks in the calling thread.
pub const ONE_BY_ONE: Share<'static> = &|blocks, count| vec![count(blocks)];

impl Default for RankOptions {
    fn default() -> Self {
        Self { seed: SEED, draws: DRAWS, reading: CompositeVariant::FLAT_REPORT }
    }
}

/// Report with its rank among other reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Ranked {
    /// Value of the report over the tasks that all reports have; null when it is not ranked.
    pub value: Option<f64>,
    /// Value of the report minus that of the first report; null when either is not ranked.
    pub difference: Option<f64>,
    /// Rank by the value, 1 the best. Equal values share a rank.
    pub rank: Option<u32>,
    /// Best rank of the 95 % interval.
    pub low: Option<u32>,
    /// Worst rank of the 95 % interval.
    pub high: Option<u32>,
    /// Share of draws without a better report.
    pub first_share: Option<f64>,
    /// p value of the difference from the best report; null for the best itself.
    pub p: Option<f64>,
    /// p value after Holm's correction over all reports that are compared with the best.
    pub holm: Option<f64>,
    /// Whether the report is the best, or does not differ significantly from the best.
    pub with_best: bool,
    /// Reason why the report is not ranked.
    pub reason: Option<Sentence>,
}

/// Reports ranked by one figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Ranking {
    /// Figure that the reports are ranked by.
    pub by: RankedBy,
    /// Name of the composite's reading; null for the success rate.
    pub variant: Option<String>,
    /// Number of tasks that all ranked reports have.
    pub tasks: u32,
    /// Reports in the order given.
    pub reports: Vec<Ranked>,
}

/// Ranks reports. Each entry is a report, or the reason why the report cannot be ranked with the
/// others.
pub fn rank(
    reports: &[Result<&Report, Sentence>],
    by: RankedBy,
    options: RankOptions,
    share: Share<'_>,
) -> Ranking {
    let reading = options.reading;
    let figure = by.figure(reading);
    let parts = |report: &Report| match by {
        RankedBy::Composite => reading.weights(),
        RankedBy::SuccessRate => {
            report.levels.iter().map(|level| (level.level.clone(), MetricId::Sr, 1.0)).collect()
        }
    };
    let mut ranked: Vec<Ranked> = reports.iter().map(|_| unranked(None)).collect();
    let mut places = Vec::new();
    for (place, report) in reports.iter().enumerate() {
        let fit = report
            .as_ref()
            .map_err(Clone::clone)
            .and_then(|report| match report.composite(reading).composite {
                Err(reason) if by == RankedBy::Composite && report.is_of_another_benchmark() => Err(reason),
                _ => Ok(*report),
            })
            .and_then(|report| figure.unmeasured(report).cloned().map_or(Ok(report), Err))
            .and_then(|report| fits(report, &parts(report)).map(|()| report));
        match fit {
            Ok(report) => places.push((place, report)),
            Err(reason) => ranked[place] = unranked(Some(reason)),
        }
    }
    let chosen: Vec<&Report> = places.iter().map(|(_, report)| *report).collect();
    let variant = (by == RankedBy::Composite).then(|| reading.name());
    let Some(shared) = Shared::from_reports(&chosen, by, reading) else {
        for (place, _) in &places {
            ranked[*place] = unranked(Some(Reason::NoSharedByAll {}.into()));
        }
        return Ranking { by, variant, tasks: 0, reports: ranked };
    };
    let values = shared.values(&chosen, &figure);
    let first = places.first().filter(|(place, _)| *place == 0);
    let first = first.map(|_| values[0]);
    let rank_counts = shared.ranks(options, share);
    let against_best = shared.against_best(&values, &figure, options);
    for (at, (place, _)) in places.iter().enumerate() {
        let counts = &rank_counts[at];
        let all: u32 = counts.iter().sum();
        let quantile = |share: f64| {
            let mut so_far = 0;
            let reached = |count: &u32| {
                so_far += count;
                f64::from(so_far) >= share * f64::from(all)
            };
            counts.iter().position(reached).map(|rank| rank as u32 + 1)
        };
        let better = values.iter().filter(|other| **other > values[at] + ROUNDING);
        let (p, holm, with_best) = against_best[at];
        ranked[*place] = Ranked {
            value: Some(values[at]),
            difference: first.map(|first| values[at] - first),
            rank: Some(better.count() as u32 + 1),
            low: quantile(0.025),
            high: quantile(0.975),
            first_share: Some(f64::from(counts[0]) / f64::from(all.max(1))),
            p,
            holm,
            with_best,
            reason: None,
        };
    }
    Ranking { by, variant, tasks: shared.tasks() as u32, reports: ranked }
}

fn unranked(reason: Option<Sentence>) -> Ranked {
    Ranked {
        value: None,
        difference: None,
        rank: None,
        low: None,
        high: None,
        first_share: None,
        p: None,
        holm: None,
        with_best: false,
        reason,
    }
}

/// Checks that a report has every metric of the figure, task by task.
fn fits(report: &Report, parts: &[(Level, MetricId, f64)]) -> Result<(), Sentence> {
    if report.levels.iter().all(|level| level.tasks.is_empty()) {
        return Err(Reason::SummaryOnly {}.into());
    }
    for (level, metric, _) in parts {
        report.mean(level, *metric).map_err(|reason| {
            let (level, metric) = (level.to_string(), metric.to_string());
            Sentence::from(Reason::OfLevelMetric { level, metric, reason })
        })?;
    }
    Ok(())
}

/// Scores under a metric: for each task the scores of all reports, or `None` if a report has no
/// score of the task.
type Rows = Vec<Option<Vec<f64>>>;

/// Tasks of a level that all reports have, with the scores that the figure needs.
struct SharedLevel {
    level: Level,
    tasks: usize,
    metrics: Vec<MetricId>,
    /// Scores under each metric that the figure needs, with the metric's weight.
    columns: Vec<(f64, Rows)>,
}

/// Tasks that all reports have.
struct Shared {
    reports: usize,
    levels: Vec<SharedLevel>,
}

impl Shared {
    fn from_reports(reports: &[&Report], by: RankedBy, reading: CompositeVariant) -> Option<Self> {
        if reports.is_empty() {
            return None;
        }
        let weights = reading.weights();
        let mut levels = Vec::new();
        let of_reports = levels_of(reports.iter().copied());
        for level in of_reports.into_iter().chain(&Level::ALL).collect::<BTreeSet<_>>() {
            let metric_weights: Vec<(MetricId, f64)> = match by {
                RankedBy::Composite => {
                    let of_level = weights.iter().filter(|(of, ..)| of == level);
                    of_level.map(|(_, metric, weight)| (*metric, *weight)).collect()
                }
                RankedBy::SuccessRate => vec![(MetricId::Sr, 1.0)],
            };
            let tasks = tasks_of_all(reports, level);
            let metrics = metric_weights.iter().map(|(metric, _)| *metric).collect();
            let columns: Vec<(f64, Rows)> = metric_weights
                .into_iter()
                .map(|(metric, weight)| {
                    let scores = |task: &Vec<&TaskReport>| task.iter().map(|one| one.value(metric)).collect();
                    (weight, tasks.iter().map(scores).collect())
                })
                .collect();
            if columns.is_empty() || (tasks.is_empty() && by == RankedBy::SuccessRate) {
                continue;
            }
            if columns.iter().any(|(_, rows)| rows.iter().all(Option::is_none)) {
                return None;
            }
            levels.push(SharedLevel { level: level.clone(), metrics, tasks: tasks.len(), columns });
        }
        if by == RankedBy::SuccessRate {
            // The rate over all tasks: the weight of a level is its number of scored tasks.
            let columns = levels.iter().flat_map(|level| &level.columns);
            let all: usize = columns.map(|(_, rows)| rows.iter().flatten().count()).sum();
            for level in &mut levels {
                for (weight, rows) in &mut level.columns {
                    *weight = rows.iter().flatten().count() as f64 / all as f64;
                }
            }
        }
        (!levels.is_empty()).then_some(Self { reports: reports.len(), levels })
    }

    fn tasks(&self) -> usize {
        self.levels.iter().map(|level| level.tasks).sum()
    }

    /// Values of the reports. If a report has no other tasks, the value is exactly the report's
    /// own, since another order of summation would give a slightly different number.
    fn values(&self, reports: &[&Report], figure: &Figure) -> Vec<f64> {
        let everyone: Vec<Vec<usize>> = self.levels.iter().map(|level| (0..level.tasks).collect()).collect();
        let mut values = vec![0.0; self.reports];
        self.add_up(&everyone, &mut values);
        for (value, report) in values.iter_mut().zip(reports) {
            let own = figure.of(report).filter(|_| self.is_all_of(report, figure));
            *value = own.unwrap_or(*value);
        }
        values
    }

    /// Whether the report has no further scores of the figure beyond those of the tasks that all
    /// reports have.
    fn is_all_of(&self, report: &Report, figure: &Figure) -> bool {
        let scored = |level: &Level, metric: MetricId| report.level(level)?.mean(metric)?.scored;
        let is_all = |of: &SharedLevel| {
            let mut columns = of.metrics.iter().zip(&of.columns);
            columns
                .all(|(metric, (_, rows))| scored(&of.level, *metric) == Some(rows.iter().flatten().count()))
        };
        let has_other_levels =
            matches!(figure, Figure::Overall(_)) && report.levels.len() != self.levels.len();
        !has_other_levels && self.levels.iter().all(is_all)
    }

    /// Values of the reports over drawn tasks; a task counts as often as it was drawn. NaN where a
    /// column has no score.
    fn add_up(&self, picked: &[Vec<usize>], values: &mut [f64]) {
        let mut sums = vec![0.0; self.reports];
        values.fill(0.0);
        for (level, picked) in self.levels.iter().zip(picked) {
            for (weight, rows) in &level.columns {
                sums.fill(0.0);
                let mut count = 0.0;
                for row in picked.iter().filter_map(|task| rows[*task].as_ref()) {
                    count += 1.0;
                    for (sum, score) in sums.iter_mut().zip(row) {
                        *sum += score;
                    }
                }
                for (value, sum) in values.iter_mut().zip(&sums) {
                    *value += weight * sum / count;
                }
            }
        }
    }

    /// Counts how often each report has each rank.
    fn ranks(&self, options: RankOptions, share: Share<'_>) -> Counts {
        let draws = options.draws.clamp(1, super::MOST_DRAWS);
        let blocks: Vec<usize> = (0..draws.div_ceil(BLOCK_DRAWS)).collect();
        let none = || vec![vec![0; self.reports]; self.reports];
        let of_blocks = |blocks: &[usize]| {
            let mut counts = none();
            for block in blocks {
                let length = BLOCK_DRAWS.min(draws - block * BLOCK_DRAWS);
                self.rank_block(options.seed, *block as u64, length, &mut counts);
            }
            counts
        };
        let mut counts = none();
        for part in share(&blocks, &of_blocks) {
            for (sums, of_part) in counts.iter_mut().zip(part) {
                for (sum, count) in sums.iter_mut().zip(of_part) {
                    *sum += count;
                }
            }
        }
        counts
    }

    fn rank_block(&self, seed: u64, block: u64, length: usize, counts: &mut [Vec<u32>]) {
        // Each seed is scrambled once, so that streams of neighbouring seeds do not overlap.
        let mut random = SplitMix(SplitMix(seed ^ block.wrapping_mul(0x9e37_79b9)).next_bits());
        let mut picked: Vec<Vec<usize>> = self.levels.iter().map(|level| vec![0; level.tasks]).collect();
        let mut values = vec![0.0; self.reports];
        for _ in 0..length {
            for picked in &mut picked {
                let tasks = picked.len();
                picked.fill_with(|| random.below(tasks));
            }
            self.add_up(&picked, &mut values);
            if values.iter().any(|value| value.is_nan()) {
                continue;
            }
            for (value, counts) in values.iter().zip(counts.iter_mut()) {
                let better = values.iter().filter(|other| **other > value + ROUNDING).count();
                counts[better] += 1;
            }
        }
    }

    /// Contribution of each task to the difference between report `other` and report `one`, which
    /// are indexes.
    fn added(&self, one: usize, other: usize) -> Vec<f64> {
        let mut added = Vec::new();
        for level in &self.levels {
            let mut of_level = vec![0.0; level.tasks];
            for (weight, rows) in &level.columns {
                let count = rows.iter().flatten().count() as f64;
                for (sum, row) in of_level.iter_mut().zip(rows) {
                    if let Some(row) = row {
                        *sum += weight * (row[other] - row[one]) / count;
                    }
                }
            }
            added.extend(of_level);
        }
        let largest = added.iter().fold(0.0f64, |largest, one| largest.max(one.abs()));
        for one in &mut added {
            if one.abs() <= ROUNDING * largest {
                *one = 0.0;
            }
        }
        added
    }

    /// p value, corrected p value, and whether the report does not differ significantly from the
    /// best.
    fn against_best(
        &self,
        values: &[f64],
        figure: &Figure,
        options: RankOptions,
    ) -> Vec<(Option<f64>, Option<f64>, bool)> {
        let best = (0..values.len()).max_by(|one, other| values[*one].total_cmp(&values[*other]));
        let is_binary = matches!(figure, Figure::Overall(_)) && self.is_binary();
        let p: Vec<Option<f64>> = (0..values.len())
            .map(|at| {
                let best = best.filter(|best| *best != at)?;
                let added = self.added(best, at);
                Some(if is_binary {
                    let count = |holds: fn(&&f64) -> bool| added.iter().filter(holds).count();
                    mcnemar::exact(count(|one| **one < 0.0), count(|one| **one > 0.0))
                } else {
                    // The random stream of the pair's own test, so that the same difference has the
                    // same p value.
                    signflip::p_value(&added, row::stream(options.seed, figure), options.draws).0
                })
            })
            .collect();
        let tested: Vec<f64> = p.iter().flatten().copied().collect();
        let mut corrected = holm::holm(&tested).into_iter();
        p.into_iter()
            .map(|p| {
                let holm = p.and_then(|_| corrected.next());
                (p, holm, holm.is_none_or(|holm| holm >= ALPHA))
            })
            .collect()
    }

    fn is_binary(&self) -> bool {
        let columns = self.levels.iter().flat_map(|level| &level.columns);
        let mut scores = columns.flat_map(|(_, rows)| rows.iter().flatten().flatten());
        scores.all(|score| *score == 0.0 || *score == 1.0)
    }
}

/// Tasks of a level that every report has, each with its entries in all reports.
fn tasks_of_all<'a>(reports: &[&'a Report], level: &Level) -> Vec<Vec<&'a TaskReport>> {
    let by_id: Vec<HashMap<&str, &TaskReport>> = reports
        .iter()
        .map(|report| {
            let tasks = report.level(level).into_iter().flat_map(|level| &level.tasks);
            tasks.map(|task| (task.id.as_str(), task)).collect()
        })
        .collect();
    let first = reports.first().and_then(|report| report.level(level));
    let tasks = first.into_iter().flat_map(|level| &level.tasks);
    tasks.filter_map(|task| by_id.iter().map(|of| of.get(task.id.as_str()).copied()).collect()).collect()
}
