//! Several attempts at the same tasks, as the report page shows them.

use super::ScoreRange;
use koab_core::level::Level;
use koab_core::report::repetitions::{self as core, Estimate, RepeatedMetric, RepetitionScope};
use koab_core::score::MetricId;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What the attempts of a report's run tell, or why there is nothing to tell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RepetitionsView {
    /// Why there is nothing: one attempt a task, or only the first ones were scored.
    pub reason: Option<String>,
    /// Attempts a task that the run planned.
    pub planned: u32,
    /// Whether judges were asked about the first attempts only.
    pub first_only: bool,
    /// All tasks first, then each level.
    pub scopes: Vec<RepeatedScopeView>,
    /// Tasks in report order, each with its attempts.
    pub tasks: Vec<RepeatedTaskView>,
}

/// A level, or all of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RepeatedScopeView {
    /// The level; null for all tasks.
    pub level: Option<Level>,
    /// Tasks.
    pub tasks: u32,
    /// Metrics in report order.
    pub metrics: Vec<RepeatedMetricView>,
}

/// A metric over all attempts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RepeatedMetricView {
    /// Name as published.
    pub metric: String,
    /// Mean over the tasks of each task's mean over its attempts.
    pub mean: RepeatedFigure,
    /// The mean of each repetition by itself, in order; null where there is none.
    pub runs: Vec<Option<f64>>,
    /// pass@k; empty where an attempt is not right or wrong.
    pub pass_at: Vec<RepeatedFigure>,
    /// pass^k; empty likewise.
    pub pass_all: Vec<RepeatedFigure>,
    /// Tasks whose attempts disagree; null where an attempt is not right or wrong.
    pub disagreement: Option<DisagreementView>,
}

/// A number over tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RepeatedFigure {
    /// Attempts that it is about.
    pub k: u32,
    /// The number.
    pub value: Option<f64>,
    /// Why there is none.
    pub reason: Option<String>,
    /// Its interval.
    pub range: ScoreRange,
    /// Tasks in it.
    pub tasks: u32,
    /// Tasks with too few scored attempts.
    pub left_out: u32,
}

/// How far attempts at single tasks disagree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DisagreementView {
    /// Tasks of which some attempts succeeded and some did not.
    pub tasks: Vec<String>,
    /// Tasks with at least two scored attempts.
    pub of: u32,
    /// Their share.
    pub share: Option<f64>,
    /// Why there is none.
    pub reason: Option<String>,
    /// Its interval.
    pub range: ScoreRange,
}

/// The attempts at one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RepeatedTaskView {
    /// Its level.
    pub level: Level,
    /// Task id.
    pub task: String,
    /// Planned attempts in order, also those that were not made.
    pub attempts: Vec<AttemptMark>,
}

/// One attempt in a strip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AttemptMark {
    /// 1-based repetition.
    pub repetition: u32,
    /// Whether it was made.
    pub made: bool,
    /// Whether it ended with an answer.
    pub answered: bool,
    /// Whether its conversation is in the run's files.
    pub kept: bool,
    /// The success of the attempt, SR: 1 or 0; null when nobody judged it.
    pub success: Option<f64>,
    /// Why there is none, or the technical reason for which the attempt ended.
    pub why: Option<String>,
}

impl From<&Estimate> for RepeatedFigure {
    fn from(estimate: &Estimate) -> Self {
        Self {
            k: estimate.k,
            value: estimate.value,
            reason: estimate.reason.clone(),
            range: estimate.bounds.clone().into(),
            tasks: estimate.tasks as u32,
            left_out: estimate.left_out as u32,
        }
    }
}

impl From<&RepeatedMetric> for RepeatedMetricView {
    fn from(metric: &RepeatedMetric) -> Self {
        Self {
            metric: metric.metric.to_string(),
            mean: (&metric.mean).into(),
            runs: metric.runs.iter().map(|run| run.value).collect(),
            pass_at: metric.pass_at.iter().map(RepeatedFigure::from).collect(),
            pass_all: metric.pass_all.iter().map(RepeatedFigure::from).collect(),
            disagreement: metric.disagreement.as_ref().map(|found| DisagreementView {
                tasks: found.tasks.clone(),
                of: found.of as u32,
                share: found.share,
                reason: found.reason.clone(),
                range: found.bounds.clone().into(),
            }),
        }
    }
}

impl From<&RepetitionScope> for RepeatedScopeView {
    fn from(scope: &RepetitionScope) -> Self {
        Self {
            level: scope.level,
            tasks: scope.tasks as u32,
            metrics: scope.metrics.iter().map(RepeatedMetricView::from).collect(),
        }
    }
}

impl RepeatedTaskView {
    /// A task with a mark for each of the planned attempts.
    pub fn of(task: &core::RepeatedTask, planned: u32) -> Self {
        let attempts = (1..=planned.min(1000)).map(|repetition| {
            let made = task
                .attempts
                .iter()
                .find(|attempt| attempt.repetition == repetition);
            made.map_or_else(|| AttemptMark::not_made(repetition), AttemptMark::of)
        });
        Self {
            level: task.level,
            task: task.task.clone(),
            attempts: attempts.collect(),
        }
    }
}

impl AttemptMark {
    fn not_made(repetition: u32) -> Self {
        Self {
            repetition,
            made: false,
            answered: false,
            kept: false,
            success: None,
            why: Some(koab_core::reason::Reason::AttemptNotMade {}.into()),
        }
    }

    fn of(attempt: &core::AttemptScores) -> Self {
        let score = attempt.score(MetricId::Sr);
        let unscored = score.and_then(|score| score.why.clone());
        let not_kept = || (!attempt.kept).then(|| koab_core::reason::Reason::AttemptNotKept {}.into());
        Self {
            repetition: attempt.repetition,
            made: true,
            answered: attempt.answered,
            kept: attempt.kept,
            success: score.and_then(|score| score.value),
            why: attempt.technical.clone().or(unscored).or_else(not_kept),
        }
    }
}
