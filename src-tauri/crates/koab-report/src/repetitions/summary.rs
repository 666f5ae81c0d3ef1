//! What the attempts at all tasks tell together, level by level and over all tasks.
//!
//! The task is the cluster of every interval: tasks are drawn with replacement within their level,
//! each with all its attempts, since attempts at one task are alike. A task weighs the same however
//! many of its attempts could be scored.

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

/// Mixed into the seed, so that these draws are not those of the report's own means.
const SERIES: u64 = 0x7265_7065_6174;

/// Up to here there is an estimate for every k; beyond, for powers of two and the number of
/// attempts.
const EVERY_K: u32 = 10;

/// Repetitions that have a mean of their own; more than anybody looks at one by one.
const MOST_RUNS: u32 = 1000;

/// Metrics that every level may have.
const COMMON: [MetricId; 3] = [MetricId::Sr, MetricId::EprCvr, MetricId::Rrr];

/// Everything that the attempts tell together.
#[derive(Clone, Debug, PartialEq)]
pub struct RepetitionSummary {
    /// Attempts a task that the run planned.
    pub planned: u32,
    /// All tasks first, as far as metrics are common to all levels, then each level.
    pub scopes: Vec<RepetitionScope>,
}

/// A level, or all of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RepetitionScope {
    /// The level; null for all tasks.
    pub level: Option<Level>,
    /// Tasks.
    pub tasks: usize,
    /// Metrics in report order.
    pub metrics: Vec<RepeatedMetric>,
}

/// A metric over all attempts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RepeatedMetric {
    /// Name as published.
    #[cfg_attr(feature = "typescript", ts(as = "String"))]
    pub metric: MetricId,
    /// Mean over the tasks of each task's mean over its attempts.
    pub mean: RepeatedFigure,
    /// The mean of each repetition by itself, in order; null where there is none.
    #[serde(serialize_with = "values")]
    #[cfg_attr(feature = "typescript", ts(as = "Vec<Option<f64>>"))]
    pub runs: Vec<RunMean>,
    /// pass@k; empty where an attempt is not right or wrong, but something between.
    pub pass_at: Vec<RepeatedFigure>,
    /// pass^k; empty likewise.
    pub pass_all: Vec<RepeatedFigure>,
    /// Tasks whose attempts disagree; null where an attempt is not right or wrong.
    pub disagreement: Option<Disagreement>,
}

/// A number over tasks, with its interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RepeatedFigure {
    /// Attempts that the number is about; 1 for means.
    pub k: u32,
    /// The number, or why there is none.
    #[serde(flatten)]
    #[cfg_attr(feature = "typescript", ts(flatten))]
    pub figure: Figure,
    /// Its interval.
    #[serde(rename = "range", serialize_with = "measured::range::serialize")]
    #[cfg_attr(feature = "typescript", ts(as = "measured::ScoreRange"))]
    pub bounds: Bounds,
    /// Tasks in it.
    pub tasks: usize,
    /// Tasks that are not, because too few of their attempts were made or could be scored.
    pub left_out: usize,
}

/// The mean of one repetition.
#[derive(Clone, Debug, PartialEq)]
pub struct RunMean {
    /// 1-based repetition.
    pub repetition: u32,
    /// The mean over the tasks that have it.
    pub value: Option<f64>,
    /// Tasks in it.
    pub tasks: usize,
}

fn values<S: Serializer>(runs: &[RunMean], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(runs.iter().map(|run| run.value))
}

/// How far the attempts at single tasks disagree.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Disagreement {
    /// Tasks of which some attempts succeeded and some did not.
    pub tasks: Vec<String>,
    /// Tasks with at least two scored attempts.
    pub of: usize,
    /// The share of the one in the other; null without any.
    pub share: Option<f64>,
    /// Why there is none.
    pub reason: Option<Sentence>,
    /// Its interval, Wilson's.
    #[serde(rename = "range", serialize_with = "measured::range::serialize")]
    #[cfg_attr(feature = "typescript", ts(as = "measured::ScoreRange"))]
    pub bounds: Bounds,
}

/// Computes everything that several attempts tell.
///
/// # Errors
/// When each task was attempted once.
pub fn summary(repetitions: &Repetitions) -> Result<RepetitionSummary, Sentence> {
    let most = repetitions.tasks.iter().map(|task| task.attempts.len()).max();
    if most.unwrap_or(0) < 2 {
        return Err(Reason::OneAttempt {}.into());
    }
    let levels: BTreeSet<Level> = repetitions.tasks.iter().map(|task| task.level).collect();
    let ks = ks(most.unwrap_or(0) as u32);
    let levels: Vec<LevelValues<'_>> =
        levels.into_iter().map(|level| LevelValues::new(repetitions, level, &ks)).collect();
    let common: Vec<MetricId> =
        COMMON.into_iter().filter(|metric| levels.iter().all(|level| level.has(*metric))).collect();
    let all: Vec<&LevelValues<'_>> = levels.iter().collect();
    let mut scopes = vec![scope(None, &all, &common, &ks, repetitions)];
    for level in &levels {
        scopes.push(scope(Some(level.level), &[level], &level.metrics, &ks, repetitions));
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

/// What is asked of a metric; each is a column with a number a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Mean,
    PassAt(u32),
    PassAll(u32),
}

/// Columns that are drawn together. All draws of all levels at once would be a hundred megabytes.
const DRAWN_TOGETHER: usize = 8;

/// The tasks of a level with all columns.
struct LevelValues<'a> {
    level: Level,
    tasks: Vec<&'a RepeatedTask>,
    metrics: Vec<MetricId>,
    columns: Vec<(MetricId, Column)>,
    values: Vec<Vec<Option<f64>>>,
}

impl<'a> LevelValues<'a> {
    fn new(repetitions: &'a Repetitions, level: Level, ks: &[u32]) -> Self {
        let tasks: Vec<&RepeatedTask> = repetitions.tasks.iter().filter(|task| task.level == level).collect();
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
                columns.extend(pairs.map(|asked| (*metric, asked)));
            }
        }
        let mut values: Vec<Vec<Option<f64>>> = Vec::with_capacity(columns.len());
        for metric in &metrics {
            let sums: Vec<TaskSum> = tasks.iter().map(|task| TaskSum::new(task, *metric)).collect();
            let of_metric = columns.iter().filter(|(of, _)| of == metric);
            values.extend(of_metric.map(|(_, asked)| sums.iter().map(|sum| sum.number(*asked)).collect()));
        }
        Self { level, tasks, metrics, columns, values }
    }

    fn has(&self, metric: MetricId) -> bool {
        self.metrics.contains(&metric)
    }

    /// The numbers of a metric's columns, a task each; `None` where one of them is not there.
    fn values(&self, metric: MetricId, asked: &[Column]) -> Option<Vec<Vec<Option<f64>>>> {
        let place = |asked: &Column| self.columns.iter().position(|column| *column == (metric, *asked));
        let values = asked.iter().map(|asked| Some(self.values[place(asked)?].clone()));
        values.collect()
    }

    /// Means of columns in each draw of the tasks. All columns are drawn alike, whichever are drawn
    /// together.
    fn draws(&self, values: &[Vec<Option<f64>>]) -> Vec<Vec<f64>> {
        resample(values, SEED ^ SERIES ^ self.level.seed(), DRAWS)
    }
}

/// What the scored attempts at a task come to.
struct TaskSum {
    scored: usize,
    succeeded: usize,
    /// Added up in the order of the attempts.
    sum: f64,
}

impl TaskSum {
    fn new(task: &RepeatedTask, metric: MetricId) -> Self {
        let mut found = Self { scored: 0, succeeded: 0, sum: 0.0 };
        for score in task.attempts.iter().filter_map(|attempt| attempt.value(metric)) {
            found.scored += 1;
            found.succeeded += usize::from(score == 1.0);
            found.sum += score;
        }
        found
    }

    fn number(&self, asked: Column) -> Option<f64> {
        match asked {
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
    let mut asked = vec![(1, Column::Mean)];
    if is_binary {
        asked.extend(ks.iter().map(|k| (*k, Column::PassAt(*k))));
        asked.extend(ks.iter().map(|k| (*k, Column::PassAll(*k))));
    }
    let together = asked.chunks(DRAWN_TOGETHER);
    let mut figures = together.flat_map(|asked| estimates(levels, metric, asked, unknown.as_ref()));
    RepeatedMetric {
        metric,
        mean: figures.next().unwrap_or_else(|| none(1, 0, Reason::NoMean {}.into())),
        runs: runs(levels, metric, repetitions.planned, unknown.is_some()),
        pass_at: figures.by_ref().take(ks.len()).collect(),
        pass_all: figures.collect(),
        disagreement: is_binary.then(|| disagreement(levels, metric, unknown.as_ref())),
    }
}

/// Why a metric has no number over attempts: some of them were made and nobody knows their score.
/// Left out may be what failed for technical reasons; without the rest, the numbers would be those
/// of the attempts that needed no judge.
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

/// What is not known of `all` tasks, and why.
fn none(k: u32, all: usize, reason: Sentence) -> RepeatedFigure {
    RepeatedFigure { k, bounds: Err(reason.clone()), figure: Err(reason).into(), tasks: 0, left_out: all }
}

fn estimates(
    levels: &[&LevelValues<'_>],
    metric: MetricId,
    asked: &[(u32, Column)],
    unknown: Option<&Sentence>,
) -> Vec<RepeatedFigure> {
    let all: usize = levels.iter().map(|level| level.tasks.len()).sum();
    let nothing = |reason: Sentence| asked.iter().map(move |(k, _)| none(*k, all, reason.clone())).collect();
    if let Some(reason) = unknown {
        return nothing(reason.clone());
    }
    let columns: Vec<Column> = asked.iter().map(|(_, column)| *column).collect();
    let of_levels = levels.iter().map(|level| level.values(metric, &columns));
    let Some(of_levels) = of_levels.collect::<Option<Vec<_>>>() else {
        return nothing(Reason::NoMean {}.into());
    };
    let drawn: Vec<Vec<Vec<f64>>> =
        levels.iter().zip(&of_levels).map(|(level, values)| level.draws(values)).collect();
    let figure = |(at, (k, _)): (usize, &(u32, Column))| {
        let values: Vec<Vec<Option<f64>>> = of_levels.iter().map(|values| values[at].clone()).collect();
        let drawn: Vec<&[f64]> = drawn.iter().map(|draws| draws[at].as_slice()).collect();
        estimate(*k, all, &values, &drawn)
    };
    asked.iter().enumerate().map(figure).collect()
}

/// A number over tasks from each level's values and their means in each draw.
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
    let mut sums = vec![(0.0, 0); planned.min(MOST_RUNS) as usize];
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
