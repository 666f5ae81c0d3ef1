//! Reads `evaluation_report.json` back: the published form, and what ours adds to it (`json.rs`).
//!
//! What is read and written again has the same bytes. Metrics and levels that nobody here knows are left out and named.

mod summary;
mod verdicts;

pub use verdicts::verdicts_of;

use super::{LevelMean, LevelReport, Report, TaskReport};
use crate::judge::{Aggregate, Panel};
use crate::level::Level;
use crate::log::SkippedTask;
use crate::python::truthy;
use crate::score::{MetricId, MetricSet, Score, Scorer};
use serde_json::{Map, Value};

/// A JSON document that is no report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no evaluation report: {at} {problem}")]
pub struct ReportError {
    /// Where, as a dotted path.
    pub at: String,
    /// What is wrong there.
    pub problem: String,
}

/// A report that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadReport {
    /// The report.
    pub report: Report,
    /// What was left out, one sentence each.
    pub left_out: Vec<String>,
}

fn error(at: impl Into<String>, problem: impl Into<String>) -> ReportError {
    ReportError {
        at: at.into(),
        problem: problem.into(),
    }
}

/// Reads a report.
///
/// # Errors
/// When the document is none; what is merely unknown in it is left out.
pub fn read_json(document: &Value) -> Result<ReadReport, ReportError> {
    let object = |value: &Value, at: &str| -> Result<Map<String, Value>, ReportError> {
        value
            .as_object()
            .cloned()
            .ok_or_else(|| error(at, "is no object"))
    };
    let summary = object(document.get("summary").unwrap_or(&Value::Null), "summary")?;
    let by_level = object(document.get("by_level").unwrap_or(&Value::Null), "by_level")?;
    let text = |key: &str| {
        summary
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let scorer = match summary.get("scorer").and_then(Value::as_str) {
        None | Some("leaderboard") => Scorer::Leaderboard,
        Some("corrected") => Scorer::Corrected,
        Some(other) => {
            return Err(error(
                "summary.scorer",
                format!("is `{other}`, which is no scorer"),
            ));
        }
    };
    let mut left_out = Vec::new();
    let mut levels = Vec::new();
    for (name, value) in &by_level {
        let Ok(level) = name.parse::<Level>() else {
            left_out.push(format!("the level {name} is unknown here"));
            continue;
        };
        let value = object(value, &format!("by_level.{name}"))?;
        levels.push(read_level(level, &value, &mut left_out)?);
    }
    let published = Panel::default();
    let has = |metric: MetricId| {
        levels
            .iter()
            .any(|level: &LevelReport| level.mean(metric).is_some())
    };
    let metrics = if MetricId::ALL.into_iter().any(|id| !id.is_in_head() && has(id)) {
        MetricSet::All
    } else {
        MetricSet::Head
    };
    let judges = text("judge_model");
    let report = Report {
        model: text("model"),
        judges: judges
            .split(", ")
            .filter(|name| !name.is_empty())
            .map(ToOwned::to_owned)
            .collect(),
        votes: summary
            .get("judge_votes")
            .and_then(Value::as_u64)
            .map_or(published.votes, |votes| votes as usize),
        aggregate: summary
            .get("judge_aggregate")
            .and_then(|value| serde_json::from_value::<Aggregate>(value.clone()).ok())
            .unwrap_or(published.aggregate),
        scorer,
        metrics,
        execution_date: text("execution_date"),
        evaluation_date: text("evaluation_date"),
        sample_size: summary
            .get("sample_size")
            .and_then(Value::as_u64)
            .map(|n| n as usize),
        levels,
    };
    Ok(ReadReport { report, left_out })
}

fn read_level(
    level: Level,
    value: &Map<String, Value>,
    left_out: &mut Vec<String>,
) -> Result<LevelReport, ReportError> {
    let at = |key: &str| format!("by_level.{level}.{key}");
    let list = |key: &str| value.get(key).and_then(Value::as_array);
    let tasks = list("task_evaluations")
        .ok_or_else(|| error(at("task_evaluations"), "is no list"))?
        .iter()
        .enumerate()
        .map(|(i, task)| {
            read_task(task).map_err(|why| error(at(&format!("task_evaluations.{}", i + 1)), why))
        })
        .collect::<Result<Vec<TaskReport>, ReportError>>()?;
    let means = value
        .get("metrics")
        .and_then(Value::as_object)
        .ok_or_else(|| error(at("metrics"), "is no object"))?;
    let unscored = value.get("unscored").and_then(Value::as_object);
    let mut found = Vec::new();
    for (name, mean) in means {
        match name.parse::<MetricId>() {
            Ok(id) => {
                let stated = unscored.and_then(|unscored| unscored.get(name));
                found.push(read_mean(id, mean.as_f64(), &tasks, stated));
            }
            Err(_) => left_out.push(format!("{level}: the metric {name} is unknown here")),
        }
    }
    let skipped = list("skipped").into_iter().flatten().enumerate();
    Ok(LevelReport {
        level,
        total_tasks: value
            .get("total_tasks")
            .and_then(Value::as_u64)
            .map_or(tasks.len(), |n| n as usize),
        metadata: value
            .get("metadata")
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default(),
        means: found,
        skipped: skipped
            .map(|(position, task)| SkippedTask {
                id: task["task_id"].as_str().unwrap_or_default().to_owned(),
                position,
                reason: task["reason"].as_str().unwrap_or_default().to_owned(),
            })
            .collect(),
        tasks,
    })
}

fn read_task(value: &Value) -> Result<TaskReport, String> {
    let id = value
        .get("task_id")
        .and_then(Value::as_str)
        .ok_or("has no `task_id`")?;
    let scores = value
        .get("metrics")
        .and_then(Value::as_object)
        .ok_or("has no `metrics`")?;
    Ok(TaskReport {
        id: id.to_owned(),
        success: value.get("success").cloned().unwrap_or(Value::Bool(false)),
        scores: scores
            .iter()
            .filter_map(|(name, score)| Some((name.parse().ok()?, read_score(score))))
            .collect(),
    })
}

fn read_score(score: &Value) -> Score {
    let details = || score.get("details").cloned().unwrap_or_default();
    if let Some(error) = score.get("error").and_then(Value::as_str) {
        return Score::Errored {
            error: error.to_owned(),
        };
    }
    match (
        score.get("score").and_then(Value::as_f64),
        score.get("unscored").and_then(Value::as_str),
    ) {
        (Some(value), _) => Score::scored(value, details()),
        (None, Some(reason)) => Score::unscored(reason),
        (None, None) => Score::NotApplicable { details: details() },
    }
}

/// The mean as it stands in the report, never computed again, with what the tasks say about it.
fn read_mean(
    metric: MetricId,
    value: Option<f64>,
    tasks: &[TaskReport],
    stated: Option<&Value>,
) -> LevelMean {
    let mut mean = LevelMean {
        metric,
        value,
        reason: None,
        scored: 0,
        errored: 0,
        unscored: 0,
        not_applicable: 0,
        unscored_reasons: Vec::new(),
    };
    if metric == MetricId::Rrr {
        mean.scored = tasks.len();
    }
    for score in tasks.iter().filter_map(|task| task.score(metric)) {
        mean.scored += usize::from(score.value().is_some());
        match score {
            Score::Scored { .. } => {}
            Score::Errored { .. } => mean.errored += 1,
            Score::NotApplicable { .. } => mean.not_applicable += 1,
            Score::Unscored { .. } => mean.unscored += 1,
        }
    }
    let reasons = stated
        .and_then(|stated| stated.get("reasons"))
        .and_then(Value::as_object);
    for (reason, count) in reasons.into_iter().flatten() {
        let count = count.as_u64().unwrap_or_default() as usize;
        mean.unscored_reasons.push((reason.clone(), count));
    }
    if mean.value.is_none() {
        mean.reason = Some(mean.explain());
    }
    mean
}

impl TaskReport {
    /// The score of a metric, when the task has it.
    pub fn score(&self, metric: MetricId) -> Option<&Score> {
        self.scores
            .iter()
            .find(|(id, _)| *id == metric)
            .map(|(_, score)| score)
    }

    /// Whether the log says that the model came to an answer.
    pub fn answered(&self) -> bool {
        truthy(&self.success)
    }

    /// The number that this task adds to a metric's mean; for RRR, which has no score of its own, from the answer.
    pub fn value(&self, metric: MetricId) -> Option<f64> {
        if metric == MetricId::Rrr {
            return Some(f64::from(u8::from(self.answered())));
        }
        self.score(metric)?.value()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_unknown_is_named_and_what_is_no_report_is_refused() {
        let report = json!({
            "summary": {"model": "a/b", "judge_model": "j, k", "execution_date": "20251219"},
            "by_level": {
                "L1": {"metrics": {"SR": null, "Novel": 1.0}, "task_evaluations": [
                    {"task_id": "L1-001", "success": true,
                     "metrics": {"SR": {"score": null, "unscored": "no judge was asked"}, "Novel": {"score": 1.0}}}],
                    "unscored": {"SR": {"tasks": 1, "scored": 0, "reasons": {"no judge was asked": 1}}}},
                "L9": {},
            },
        });
        let read = read_json(&report).unwrap();
        assert_eq!(
            read.left_out,
            [
                "L1: the metric Novel is unknown here",
                "the level L9 is unknown here"
            ]
        );
        assert_eq!(read.report.judges, ["j", "k"]);
        let mean = &read.report.levels[0].means[0];
        assert_eq!(
            (mean.value, mean.unscored, mean.reason.as_deref()),
            (None, 1, Some("no judge was asked"))
        );
        for (document, sentence) in [
            (json!([]), "this is no evaluation report: summary is no object"),
            (
                json!({"summary": {"scorer": "best"}, "by_level": {}}),
                "this is no evaluation report: summary.scorer is `best`, which is no scorer",
            ),
            (
                json!({"summary": {}, "by_level": {"L1": {"metrics": {}, "task_evaluations": [{}]}}}),
                "this is no evaluation report: by_level.L1.task_evaluations.1 has no `task_id`",
            ),
        ] {
            assert_eq!(read_json(&document).unwrap_err().to_string(), sentence);
        }
    }
}
