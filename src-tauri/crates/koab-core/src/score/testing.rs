//! Helpers that score a task which is written in a test.

use super::task_context::TaskContext;
use super::{Metric, MetricId, MetricSet, Score, metrics_of};
use crate::judge::{Answer, Opinion, Panel, Verdict};
use crate::level::Level;
use crate::log::LoggedTask;
use crate::protocol::Protocol;
use serde_json::Value;

pub(crate) fn metric(id: MetricId) -> &'static Metric {
    let level = id.level().unwrap_or(Level::L1);
    metrics_of(&level, MetricSet::All).find(|metric| metric.id == id).expect("a registered metric")
}

/// Score of a logged task for a metric, on the metric's level (L1 for common metrics).
pub(crate) fn score(id: MetricId, scorer: Protocol, task: &Value, verdicts: &[Verdict]) -> Score {
    score_on(&id.level().unwrap_or(Level::L1), id, scorer, task, None, verdicts)
}

pub(crate) fn score_on(
    level: &Level,
    id: MetricId,
    scorer: Protocol,
    task: &Value,
    dataset: Option<&Value>,
    verdicts: &[Verdict],
) -> Score {
    let task = LoggedTask::read(0, task).expect("a task");
    let cx = TaskContext { level, task: &task, dataset, scorer, panel: &Panel::default() };
    metric(id).score(&cx, verdicts)
}

/// Scores under the leaderboard and the corrected rules; `None` where unscored or not applicable.
pub(crate) fn both(id: MetricId, task: &Value) -> [Option<f64>; 2] {
    [Protocol::Leaderboard, Protocol::Corrected].map(|scorer| score(id, scorer, task, &[]).value())
}

pub(crate) fn yes(judge: &str, metric: MetricId, success: bool) -> Verdict {
    let opinion = Opinion { success: Some(success), reason: Some("r".to_owned()), ..Opinion::default() };
    Verdict { judge: judge.to_owned(), metric, answer: Answer::Answered(opinion) }
}

pub(crate) fn grade(judge: &str, metric: MetricId, score: i64) -> Verdict {
    let opinion = Opinion { score: Some(score), reason: Some("r".to_owned()), ..Opinion::default() };
    Verdict { judge: judge.to_owned(), metric, answer: Answer::Answered(opinion) }
}
