//! Comparison of several reports: a matrix of levels and metrics, tasks won and lost, and ranks.
//!
//! The first report is the base report, which the others are compared with. All metrics here are
//! better when higher. The comparison does not test whether differences are more than chance; each
//! number has its own interval.

use super::interval::{Bounds, LevelIntervals};
use super::measure::level_score;
use super::{LevelReport, Report, levels_of};
use koab_core::level::Level;
use koab_core::measured::Interval;
use koab_core::reason::Reason;
use koab_core::score::MetricId;
use koab_core::score::composite::CompositeVariant;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Report that is compared with others.
pub struct Contender<'a> {
    /// The report itself.
    pub report: &'a Report,
    /// Intervals of the report's levels, in the report's order.
    pub intervals: &'a [LevelIntervals],
    /// Readings of the composite score, each with its value (or the reason for its absence) and its
    /// interval.
    pub composites: Vec<(CompositeVariant, Result<f64, Sentence>, Bounds)>,
}

/// Values of one number in each report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ComparedValues {
    /// Values in the order of the reports; null when a report does not have the number. The other
    /// lists have the same order.
    pub values: Vec<Option<f64>>,
    /// Reason for each missing value.
    pub reasons: Vec<Option<Sentence>>,
    /// 95 % confidence interval of each value; null when there is no interval.
    pub intervals: Vec<Option<Interval>>,
    /// Reason why there is no interval although there is a value.
    pub no_interval: Vec<Option<Sentence>>,
    /// Value minus the first report's value; null where either value is missing.
    pub deltas: Vec<Option<f64>>,
    /// Whether each value is the highest. No value is marked when all values are equal or there is
    /// only one.
    pub best: Vec<bool>,
}

/// Metric of a level in all reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ComparedMetric {
    /// Metric whose means are compared.
    pub metric: MetricId,
    /// Mean of the metric in each report.
    pub means: ComparedValues,
}

/// Level in all reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ComparedLevel {
    /// Level whose metrics are compared.
    pub level: Level,
    /// Mean of those metrics of the level that the published reports have. Common metrics such as
    /// SR are not included.
    pub own: ComparedValues,
    /// All metrics that at least one of the reports has.
    pub metrics: Vec<ComparedMetric>,
}

/// Composite score of all reports in one reading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ComparedComposite {
    /// Name of the reading.
    pub variant: String,
    /// Description of the metrics that the reading counts.
    pub reading: Sentence,
    /// Composite score of each report.
    pub values: ComparedValues,
}

/// Scores of a task under one metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct TaskScores {
    /// Metric of the scores.
    pub metric: MetricId,
    /// Score of each report; null when the report has none.
    pub scores: Vec<Option<f64>>,
}

/// Task that at least one of the reports has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ComparedTask {
    /// Level of the task.
    pub level: Level,
    /// Id of the task.
    pub task: String,
    /// Scores of the task, metric by metric.
    pub metrics: Vec<TaskScores>,
}

/// Wins and losses of a report against the first report, under one metric and over the tasks of a
/// level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Duel {
    /// Level of the tasks.
    pub level: Level,
    /// Metric of the scores.
    pub metric: MetricId,
    /// Index of the report that is compared with the first report, from 1.
    pub report: u32,
    /// Number of tasks on which the report scores higher than the first report.
    pub wins: u32,
    /// Number of tasks on which the report scores lower than the first report.
    pub losses: u32,
    /// Number of tasks with equal scores.
    pub ties: u32,
    /// Number of tasks without a score in either report.
    pub missing: u32,
}

/// Several reports compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Comparison {
    /// Levels that at least one of the reports has.
    pub levels: Vec<ComparedLevel>,
    /// Composite scores in all readings, [`CompositeVariant::SHOWN`] first.
    pub composites: Vec<ComparedComposite>,
    /// Rank of each report under the first composite score, 1 the best. Equal scores share a rank;
    /// reports without a score have no rank.
    pub ranks: Vec<Option<u32>>,
    /// Tasks by level and id.
    pub tasks: Vec<ComparedTask>,
    /// Tasks won and lost, by level, metric and report.
    pub duels: Vec<Duel>,
}

/// Compares reports. The results have the order of the reports.
pub fn compare(contenders: &[Contender<'_>]) -> Comparison {
    let levels: Vec<ComparedLevel> = levels_of(contenders.iter().map(|one| one.report))
        .into_iter()
        .map(|level| compared_level(contenders, level))
        .collect();
    // These values come from the caller. The tests of pairs need the scores of single tasks
    // instead.
    let composites: Vec<ComparedComposite> = CompositeVariant::SHOWN
        .and_others()
        .map(|variant| ComparedComposite {
            variant: variant.name(),
            reading: variant.reading().into(),
            values: ComparedValues::new(contenders.iter().map(|one| {
                let entry = one.composites.iter().find(|(other, ..)| *other == variant);
                let (_, value, bounds) = entry.ok_or(Reason::NotInReport {})?;
                Ok((value.clone()?, bounds.clone()))
            })),
        })
        .collect();
    let tasks = compared_tasks(contenders);
    Comparison {
        ranks: composites.first().map(|first| ranks(&first.values.values)).unwrap_or_default(),
        duels: duels(&tasks, contenders.len()),
        levels,
        composites,
        tasks,
    }
}

impl ComparedValues {
    fn new(numbers: impl Iterator<Item = Result<(f64, Bounds), Sentence>>) -> Self {
        let mut compared = Self::default();
        for number in numbers {
            let (value, reason, bounds) = match number {
                Ok((value, bounds)) => (Some(value), None, Some(bounds)),
                Err(reason) => (None, Some(reason), None),
            };
            compared.values.push(value);
            compared.reasons.push(reason);
            let (interval, why_none) = match bounds {
                Some(Ok(interval)) => (Some(interval), None),
                Some(Err(why)) => (None, Some(why)),
                None => (None, None),
            };
            compared.intervals.push(interval);
            compared.no_interval.push(why_none);
        }
        let first = compared.values.first().copied().flatten();
        let delta = |value: &Option<f64>| Some((*value)? - first?);
        compared.deltas = compared.values.iter().map(delta).collect();
        let there = || compared.values.iter().flatten();
        let highest = there().copied().fold(f64::NEG_INFINITY, f64::max);
        let differ = there().any(|value| *value < highest);
        let best = |value: &Option<f64>| differ && value.is_some_and(|value| value == highest);
        compared.best = compared.values.iter().map(best).collect();
        compared
    }
}

impl<'a> Contender<'a> {
    /// A level in all reports, with intervals.
    fn level(&self, level: &Level) -> Result<(&'a LevelReport, &'a LevelIntervals), Sentence> {
        let at = self.report.levels.iter().position(|report| report.level == *level);
        at.and_then(|at| Some((self.report.levels.get(at)?, self.intervals.get(at)?)))
            .ok_or_else(|| Reason::NotEvaluated {}.into())
    }

    fn mean(&self, level: &Level, metric: MetricId) -> Result<(f64, Bounds), Sentence> {
        let (report, intervals) = self.level(level)?;
        let at = report.means.iter().position(|mean| mean.metric == metric);
        let at = at.ok_or(Reason::NotInReport {})?;
        let (mean, (_, bounds)) = (&report.means[at], &intervals.means[at]);
        Ok((mean.figure.measured()?, bounds.clone()))
    }

    fn score(&self, level: &Level) -> Result<(f64, Bounds), Sentence> {
        let (report, intervals) = self.level(level)?;
        Ok((level_score(report)?, intervals.score.clone()))
    }
}

fn compared_level(contenders: &[Contender<'_>], level: &Level) -> ComparedLevel {
    let has = |metric: MetricId| {
        let levels = contenders.iter().filter_map(|one| one.report.level(level));
        levels.into_iter().any(|level| level.mean(metric).is_some())
    };
    ComparedLevel {
        level: level.clone(),
        own: ComparedValues::new(contenders.iter().map(|one| one.score(level))),
        metrics: MetricId::ALL
            .into_iter()
            .filter(|metric| has(*metric))
            .map(|metric| ComparedMetric {
                metric,
                means: ComparedValues::new(contenders.iter().map(|one| one.mean(level, metric))),
            })
            .collect(),
    }
}

/// Scores of a task by metric, one entry per report.
type ByMetric = BTreeMap<MetricId, Vec<Option<f64>>>;

fn compared_tasks(contenders: &[Contender<'_>]) -> Vec<ComparedTask> {
    let mut by_task: BTreeMap<(&Level, &str), ByMetric> = BTreeMap::new();
    for (at, one) in contenders.iter().enumerate() {
        for level in &one.report.levels {
            for task in &level.tasks {
                let metrics = by_task.entry((&level.level, task.id.as_str())).or_default();
                for (metric, score) in &task.scores {
                    metrics.entry(*metric).or_insert_with(|| vec![None; contenders.len()])[at] =
                        score.value();
                }
            }
        }
    }
    let tasks = by_task.into_iter().map(|((level, task), metrics)| ComparedTask {
        level: level.clone(),
        task: task.to_owned(),
        metrics: metrics.into_iter().map(|(metric, scores)| TaskScores { metric, scores }).collect(),
    });
    tasks.collect()
}

fn duels(tasks: &[ComparedTask], reports: usize) -> Vec<Duel> {
    let mut duels: BTreeMap<(&Level, MetricId, usize), Duel> = BTreeMap::new();
    for task in tasks {
        for TaskScores { metric, scores } in &task.metrics {
            for report in 1..reports {
                let key = (&task.level, *metric, report);
                let duel = duels.entry(key).or_insert_with(|| Duel {
                    level: task.level.clone(),
                    metric: *metric,
                    report: report as u32,
                    wins: 0,
                    losses: 0,
                    ties: 0,
                    missing: 0,
                });
                let count = match (scores[0], scores[report]) {
                    (Some(first), Some(other)) if other > first => &mut duel.wins,
                    (Some(first), Some(other)) if other < first => &mut duel.losses,
                    (Some(_), Some(_)) => &mut duel.ties,
                    _ => &mut duel.missing,
                };
                *count += 1;
            }
        }
    }
    duels.into_values().collect()
}

fn ranks(scores: &[Option<f64>]) -> Vec<Option<u32>> {
    let better = |score: f64| scores.iter().flatten().filter(|other| **other > score).count();
    scores.iter().map(|score| score.map(|score| better(score) as u32 + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_is_marked_only_where_there_is_something_to_choose() {
        let values = |numbers: &[Option<f64>]| {
            let bounds = Err("one task".into());
            let number = |n: &Option<f64>| Ok((n.ok_or(Sentence::from("none"))?, bounds.clone()));
            ComparedValues::new(numbers.iter().map(number))
        };
        assert_eq!(values(&[Some(0.5), Some(0.5)]).best, [false, false]);
        assert_eq!(values(&[Some(0.5), None]).best, [false, false]);
        let three = values(&[Some(0.5), Some(0.75), None, Some(0.75)]);
        assert_eq!(three.best, [false, true, false, true]);
        assert_eq!(three.deltas, [Some(0.0), Some(0.25), None, Some(0.25)]);
        assert_eq!(three.reasons[2], Some("none".into()));
        let why_none =
            [Some("one task"), Some("one task"), None, Some("one task")].map(|why| why.map(Sentence::from));
        assert_eq!(three.no_interval, why_none);
        assert_eq!(values(&[None, Some(1.0)]).deltas, [None, None]);
    }

    #[test]
    fn equal_scores_share_a_rank_and_none_has_none() {
        assert_eq!(
            ranks(&[Some(0.1), Some(0.9), None, Some(0.9), Some(0.5)]),
            [Some(4), Some(1), None, Some(1), Some(3)]
        );
    }
}
