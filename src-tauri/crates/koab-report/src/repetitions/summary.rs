//! Statistics over the attempts at all tasks, level by level and over all tasks.
//!
//! Intervals resample tasks and not attempts, since attempts at one task are alike: tasks are drawn
//! with replacement within their level, each with all its attempts. Every task has the same weight,
//! however many of its attempts have a score.

use super::{AttemptScores, RepeatedTask, Repetitions, pass_all, pass_at};
use crate::interval::{Bounds, DRAWS, SEED, over_levels, percentiles, resample, spread_of, wilson};
use koab_core::level::Level;
use koab_core::measured::{self, Figure};
use koab_core::protocol::Protocol;
use koab_core::reason::Reason;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use serde::{Serialize, Serializer};
use std::collections::BTreeSet;

/// Constant that is added to the seed, so that these draws differ from the draws for the report's
/// own means.
const SERIES: u64 = 0x7265_7065_6174;

/// Number of the first values of k that all have an estimate. Above this number, only powers of two
/// and the number of attempts have an estimate.
const EVERY_K: u32 = 10;

/// Maximum number of repetitions that have a mean of their own.
const MAX_RUN_MEANS: u32 = 1000;

/// Metrics that every level may have.
const COMMON: [MetricId; 3] = [MetricId::Sr, MetricId::EprCvr, MetricId::Rrr];

/// Statistics over all attempts.
#[derive(Clone, Debug, PartialEq)]
pub struct RepetitionSummary {
    /// Number of planned attempts per task.
    pub planned: u32,
    /// Scope of all tasks, with the metrics that all levels have, followed by the scope of each
    /// level.
    pub scopes: Vec<RepetitionScope>,
}

/// One level, or all levels together.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RepetitionScope {
    /// Level of the scope; null for all tasks.
    pub level: Option<Level>,
    /// Number of tasks.
    pub tasks: usize,
    /// Metrics in report order.
    pub metrics: Vec<RepeatedMetric>,
}

/// Statistics of a metric over all attempts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RepeatedMetric {
    /// Metric, with its published name.
    pub metric: MetricId,
    /// Mean over the tasks of each task's mean over its attempts.
    pub mean: RepeatedFigure,
    /// Mean of each repetition alone, in order; null where a repetition has no mean.
    #[serde(serialize_with = "values")]
    #[cfg_attr(feature = "typescript", ts(as = "Vec<Option<f64>>"))]
    pub runs: Vec<RunMean>,
    /// pass@k for each k; empty for a metric that can be partly right.
    pub pass_at: Vec<RepeatedFigure>,
    /// pass^k for each k; empty for a metric that can be partly right.
    pub pass_all: Vec<RepeatedFigure>,
    /// Tasks whose attempts disagree; null for a metric that can be partly right.
    pub disagreement: Option<Disagreement>,
}

/// Number over several tasks, with its interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RepeatedFigure {
    /// Number of attempts that the figure refers to; 1 for means.
    pub k: u32,
    /// Value of the number, or the reason for its absence.
    #[serde(flatten)]
    #[cfg_attr(feature = "typescript", ts(flatten))]
    pub figure: Figure,
    /// 95 % interval of the value.
    #[serde(rename = "range", serialize_with = "measured::range::serialize")]
    #[cfg_attr(feature = "typescript", ts(as = "measured::ScoreRange"))]
    pub bounds: Bounds,
    /// Number of tasks that the value is computed from.
    pub tasks: usize,
    /// Number of tasks that were left out, because too few of their attempts were made or have a
    /// score.
    pub left_out: usize,
}

/// Mean of one repetition.
#[derive(Clone, Debug, PartialEq)]
pub struct RunMean {
    /// Number of the repetition, from 1.
    pub repetition: u32,
    /// Mean over the tasks that have a value.
    pub value: Option<f64>,
    /// Number of tasks in the mean.
    pub tasks: usize,
}

fn values<S: Serializer>(runs: &[RunMean], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(runs.iter().map(|run| run.value))
}

/// Disagreement of the attempts at single tasks.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Disagreement {
    /// Tasks with some successful and some unsuccessful attempts.
    pub tasks: Vec<String>,
    /// Number of tasks with at least two scored attempts.
    pub of: usize,
    /// Share of tasks with attempts that disagree; the denominator is `of`. Null if `of` is 0.
    pub share: Option<f64>,
    /// Reason why there is no share.
    pub reason: Option<Sentence>,
    /// Wilson's interval of the share.
    #[serde(rename = "range", serialize_with = "measured::range::serialize")]
    #[cfg_attr(feature = "typescript", ts(as = "measured::ScoreRange"))]
    pub bounds: Bounds,
}

/// Computes the statistics over several attempts.
///
/// # Errors
/// When no task has more than one attempt.
pub fn summary(repetitions: &Repetitions) -> Result<RepetitionSummary, Sentence> {
    let most = repetitions.tasks.iter().map(|task| task.attempts.len()).max();
    if most.unwrap_or(0) < 2 {
        return Err(Reason::OneAttempt {}.into());
    }
    let levels: BTreeSet<&Level> = repetitions.tasks.iter().map(|task| &task.level).collect();
    let ks = ks(most.unwrap_or(0) as u32);
    let levels: Vec<LevelValues<'_>> =
        levels.into_iter().map(|level| LevelValues::new(repetitions, level, &ks)).collect();
    let common: Vec<MetricId> =
        COMMON.into_iter().filter(|metric| levels.iter().all(|level| level.has(*metric))).collect();
    let all: Vec<&LevelValues<'_>> = levels.iter().collect();
    let mut scopes = vec![scope(None, &all, &common, &ks, repetitions)];
    for level in &levels {
        scopes.push(scope(Some(level.level.clone()), &[level], &level.metrics, &ks, repetitions));
    }
    Ok(RepetitionSummary { planned: repetitions.planned, scopes })
}

fn ks(most: u32) -> Vec<u32> {
    let powers = std::iter::successors(Some(16), |k: &u32| k.checked_mul(2)).take_while(|k| *k < most);
    let mut ks: Vec<u32> = (1..=most.min(EVERY_K)).chain(powers).collect();
    if most > EVERY_K {
        ks.push(most);
    }
    ks
}

/// Statistic of a metric. Each statistic is a column with one number per task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Mean,
    PassAt(u32),
    PassAll(u32),
}

/// Number of columns that are drawn together. All draws of all levels at once would need a hundred
/// megabytes.
const COLUMNS_PER_DRAW: usize = 8;

/// Tasks of a level, with all their columns.
struct LevelValues<'a> {
    level: &'a Level,
    tasks: Vec<&'a RepeatedTask>,
    metrics: Vec<MetricId>,
    columns: Vec<(MetricId, Column)>,
    values: Vec<Vec<Option<f64>>>,
}

impl<'a> LevelValues<'a> {
    fn new(repetitions: &'a Repetitions, level: &'a Level, ks: &[u32]) -> Self {
        let tasks: Vec<&RepeatedTask> =
            repetitions.tasks.iter().filter(|task| task.level == *level).collect();
        let is_scored = |metric: MetricId| {
            let mut attempts = tasks.iter().flat_map(|task| &task.attempts);
            attempts.any(|attempt| metric == MetricId::Rrr || attempt.score(metric).is_some())
        };
        let metrics: Vec<MetricId> = MetricId::ALL.into_iter().filter(|id| is_scored(*id)).collect();
        let mut columns = Vec::new();
        for metric in &metrics {
            columns.push((*metric, Column::Mean));
            if metric.is_proportion() {
                let pairs = ks.iter().flat_map(|k| [Column::PassAt(*k), Column::PassAll(*k)]);
                columns.extend(pairs.map(|column| (*metric, column)));
            }
        }
        let mut values: Vec<Vec<Option<f64>>> = Vec::with_capacity(columns.len());
        for metric in &metrics {
            let sums: Vec<TaskSum> = tasks.iter().map(|task| TaskSum::new(task, *metric)).collect();
            let of_metric = columns.iter().filter(|(of, _)| of == metric);
            values.extend(of_metric.map(|(_, column)| sums.iter().map(|sum| sum.number(*column)).collect()));
        }
        Self { level, tasks, metrics, columns, values }
    }

    fn has(&self, metric: MetricId) -> bool {
        self.metrics.contains(&metric)
    }

    /// Numbers of a metric's columns: one list per column, one number per task. `None` if a column
    /// is missing.
    fn values(&self, metric: MetricId, columns: &[Column]) -> Option<Vec<Vec<Option<f64>>>> {
        let place = |column: &Column| self.columns.iter().position(|own| *own == (metric, *column));
        let values = columns.iter().map(|column| Some(self.values[place(column)?].clone()));
        values.collect()
    }

    /// Means of columns in each draw of the tasks: one list per column, one mean per draw. The
    /// draws of a column do not depend on the other columns.
    fn draws(&self, values: &[Vec<Option<f64>>]) -> Vec<Vec<f64>> {
        resample(values, SEED ^ SERIES ^ self.level.seed(), DRAWS)
    }
}

/// Sums over the scored attempts at a task.
struct TaskSum {
    scored: usize,
    succeeded: usize,
    /// Sum of the scores in the order of the attempts.
    sum: f64,
}

impl TaskSum {
    fn new(task: &RepeatedTask, metric: MetricId) -> Self {
        let mut sums = Self { scored: 0, succeeded: 0, sum: 0.0 };
        for score in task.attempts.iter().filter_map(|attempt| attempt.value(metric)) {
            sums.scored += 1;
            sums.succeeded += usize::from(score == 1.0);
            sums.sum += score;
        }
        sums
    }

    fn number(&self, column: Column) -> Option<f64> {
        match column {
            Column::Mean if self.scored == 0 => None,
            Column::Mean => Some(self.sum / self.scored as f64),
            Column::PassAt(k) => pass_at(self.scored, self.succeeded, k as usize),
            Column::PassAll(k) => pass_all(self.scored, self.succeeded, k as usize),
        }
    }
}

fn scope(
    level: Option<Level>,
    levels: &[&LevelValues<'_>],
    metrics: &[MetricId],
    ks: &[u32],
    repetitions: &Repetitions,
) -> RepetitionScope {
    let of_metric = |metric: &MetricId| repeated(levels, *metric, ks, repetitions);
    RepetitionScope {
        level,
        tasks: levels.iter().map(|level| level.tasks.len()).sum(),
        metrics: metrics.iter().map(of_metric).collect(),
    }
}

fn repeated(
    levels: &[&LevelValues<'_>],
    metric: MetricId,
    ks: &[u32],
    repetitions: &Repetitions,
) -> RepeatedMetric {
    let unknown = unscored(levels, metric, repetitions);
    let is_binary = metric.is_proportion();
    let mut columns = vec![(1, Column::Mean)];
    if is_binary {
        columns.extend(ks.iter().map(|k| (*k, Column::PassAt(*k))));
        columns.extend(ks.iter().map(|k| (*k, Column::PassAll(*k))));
    }
    let together = columns.chunks(COLUMNS_PER_DRAW);
    let mut figures = together.flat_map(|columns| estimates(levels, metric, columns, unknown.as_ref()));
    RepeatedMetric {
        metric,
        mean: figures.next().unwrap_or_else(|| none(1, 0, Reason::NoMean {}.into())),
        runs: runs(levels, metric, repetitions.planned, unknown.is_some()),
        pass_at: figures.by_ref().take(ks.len()).collect(),
        pass_all: figures.collect(),
        disagreement: is_binary.then(|| disagreement(levels, metric, unknown.as_ref())),
    }
}

/// Reason why a metric has no number over attempts: some attempts were made but not scored.
///
/// Only attempts that failed for technical reasons may be left out. If others were left out too,
/// the numbers would cover only the attempts that needed no judge.
fn unscored(levels: &[&LevelValues<'_>], metric: MetricId, repetitions: &Repetitions) -> Option<Sentence> {
    let is_left_out =
        |attempt: &AttemptScores| attempt.technical.is_some() && repetitions.scorer == Protocol::Corrected;
    let tasks = levels.iter().flat_map(|level| &level.tasks);
    let attempts =
        tasks.flat_map(|task| &task.attempts).filter(|attempt| attempt.kept && !is_left_out(attempt));
    let (mut all, mut unscored, mut first) = (0_usize, 0_usize, None);
    for attempt in attempts {
        all += 1;
        if let Some(score) = attempt.score(metric).filter(|score| score.value.is_none()) {
            unscored += 1;
            first.get_or_insert(score);
        }
    }
    let reason = Reason::AttemptsUnscored {
        unscored: unscored.to_string(),
        attempts: all.to_string(),
        reason: first?.why.clone().unwrap_or_default(),
    };
    Some(reason.into())
}

/// Creates a figure without a value for `all` tasks, with the reason.
fn none(k: u32, all: usize, reason: Sentence) -> RepeatedFigure {
    RepeatedFigure { k, bounds: Err(reason.clone()), figure: Err(reason).into(), tasks: 0, left_out: all }
}

fn estimates(
    levels: &[&LevelValues<'_>],
    metric: MetricId,
    requests: &[(u32, Column)],
    unknown: Option<&Sentence>,
) -> Vec<RepeatedFigure> {
    let all: usize = levels.iter().map(|level| level.tasks.len()).sum();
    let nothing =
        |reason: Sentence| requests.iter().map(move |(k, _)| none(*k, all, reason.clone())).collect();
    if let Some(reason) = unknown {
        return nothing(reason.clone());
    }
    let columns: Vec<Column> = requests.iter().map(|(_, column)| *column).collect();
    let of_levels = levels.iter().map(|level| level.values(metric, &columns));
    let Some(of_levels) = of_levels.collect::<Option<Vec<_>>>() else {
        return nothing(Reason::NoMean {}.into());
    };
    let level_draws: Vec<Vec<Vec<f64>>> =
        levels.iter().zip(&of_levels).map(|(level, values)| level.draws(values)).collect();
    let figure = |(at, (k, _)): (usize, &(u32, Column))| {
        let values: Vec<Vec<Option<f64>>> = of_levels.iter().map(|values| values[at].clone()).collect();
        let draws: Vec<&[f64]> = level_draws.iter().map(|draws| draws[at].as_slice()).collect();
        estimate(*k, all, &values, &draws)
    };
    requests.iter().enumerate().map(figure).collect()
}

/// pass@k or pass^k over several tasks. `values` has one value per task of each level, `drawn` the
/// means of each level in each draw, and `all` is the number of all tasks.
fn estimate(k: u32, all: usize, values: &[Vec<Option<f64>>], drawn: &[&[f64]]) -> RepeatedFigure {
    let scored: Vec<f64> = values.iter().flatten().copied().flatten().collect();
    if scored.is_empty() {
        return none(k, all, Reason::FewAttempts { k: k.to_string() }.into());
    }
    RepeatedFigure {
        k,
        figure: Ok(scored.iter().sum::<f64>() / scored.len() as f64).into(),
        bounds: match (values, drawn) {
            ([values], [drawn]) => spread_of(values).and_then(|()| percentiles(&mut drawn.to_vec())),
            _ => over_levels(values, drawn),
        },
        tasks: scored.len(),
        left_out: all - scored.len(),
    }
}

fn runs(levels: &[&LevelValues<'_>], metric: MetricId, planned: u32, is_unknown: bool) -> Vec<RunMean> {
    let mut sums = vec![(0.0, 0); planned.min(MAX_RUN_MEANS) as usize];
    let tasks = levels.iter().flat_map(|level| &level.tasks);
    for attempt in tasks.flat_map(|task| &task.attempts) {
        let sum = sums.get_mut((attempt.repetition as usize).wrapping_sub(1));
        if let (Some((sum, tasks)), Some(value)) = (sum, attempt.value(metric)) {
            *sum += value;
            *tasks += 1;
        }
    }
    (1..)
        .zip(sums)
        .map(|(repetition, (sum, tasks))| RunMean {
            repetition,
            value: (tasks > 0 && !is_unknown).then(|| sum / tasks as f64),
            tasks,
        })
        .collect()
}

fn disagreement(levels: &[&LevelValues<'_>], metric: MetricId, unknown: Option<&Sentence>) -> Disagreement {
    let none = |reason: Sentence| Disagreement {
        tasks: Vec::new(),
        of: 0,
        share: None,
        bounds: Err(reason.clone()),
        reason: Some(reason),
    };
    if let Some(reason) = unknown {
        return none(reason.clone());
    }
    let (mut tasks, mut of) = (Vec::new(), 0);
    for task in levels.iter().flat_map(|level| &level.tasks) {
        let mut scores = task.attempts.iter().filter_map(|attempt| attempt.value(metric));
        let first = scores.next();
        let mut scores = scores.peekable();
        of += usize::from(scores.peek().is_some());
        if scores.any(|score| Some(score) != first) {
            tasks.push(task.task.clone());
        }
    }
    if of == 0 {
        return none(Reason::FewAttempts { k: "2".to_owned() }.into());
    }
    Disagreement {
        share: Some(tasks.len() as f64 / of as f64),
        reason: None,
        bounds: wilson(tasks.len(), of),
        tasks,
        of,
    }
}
