//! Reads report files back: `evaluation_report.json`, `evaluation_summary.csv` and the combined summary
//! (`spec/metrics.md` §6, §7, §9), whoever wrote them.
//!
//! What a file does not say is `None` here and never 0. A summary has no task scores, no judge and no model; the combined
//! one has a model. A metric that a level does not have is written `0.0000` by the published exporter, so such cells
//! are no numbers. What the texts mean beyond that (which run it was, where it lies) is not known here.

mod table;

pub use table::{CombinedRow, read_combined, read_summary};

use crate::level::Level;
use crate::score::composite::{Composite, CompositeVariant, composite};
use crate::score::{MetricId, Scorer};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A report as its file tells it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PublishedReport {
    /// Model id.
    pub model: Option<String>,
    /// Judge model ids; `None` when the file does not say whether there were any.
    pub judges: Option<Vec<String>>,
    /// The run's date as it was given, normally `YYYYMMDD`.
    pub execution_date: Option<String>,
    /// When it was scored, ISO local time.
    pub evaluation_date: Option<String>,
    /// By which rules; files of the published tool do not say, and mean the leaderboard's.
    pub scorer: Scorer,
    /// Tasks of each level that were scored, when not all were.
    pub sample_size: Option<u64>,
    /// Levels in order.
    pub levels: Vec<PublishedLevel>,
    /// What was left out because nobody here knows it, a sentence each.
    pub left_out: Vec<String>,
}

/// One level of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedLevel {
    /// The level.
    pub level: Level,
    /// Tasks in the log.
    pub total_tasks: Option<u32>,
    /// Tasks that were scored.
    pub evaluated_tasks: Option<u32>,
    /// Means of the level's metrics, in the file's order.
    pub means: Vec<PublishedMean>,
    /// Time and tokens.
    pub figures: Figures,
    /// Scores of tasks, in file order; summaries have none.
    pub tasks: Vec<PublishedTask>,
    /// Tasks that could not be read, with the reason.
    pub skipped: Vec<String>,
}

/// Mean of a metric over a level.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedMean {
    /// The metric.
    pub metric: MetricId,
    /// The mean; `None` when it could not be told.
    pub value: Option<f64>,
    /// Tasks without a score, when the file says so.
    pub unscored: u32,
    /// Why, with how many tasks each concerns.
    pub reasons: Vec<(String, u32)>,
}

/// What the model took, means over the tasks of a level; `None` when not measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Seconds a task.
    pub seconds: Option<f64>,
    /// Tokens a task.
    pub tokens: Option<f64>,
    /// Prompt tokens a task.
    pub prompt_tokens: Option<f64>,
    /// Completion tokens a task.
    pub completion_tokens: Option<f64>,
    /// Tokens a second.
    pub tokens_per_second: Option<f64>,
    /// Seconds to the first token.
    pub ttft: Option<f64>,
}

/// Scores of one task.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedTask {
    /// Task id.
    pub id: String,
    /// Score of each metric that the task has, by metric; `None` where it was not scored.
    pub scores: Vec<(MetricId, Option<f64>)>,
}

/// Why a file is no report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoReport {
    /// It cannot be read as JSON or CSV at all, or lacks what a report has.
    #[error("{0}")]
    Form(String),
    /// A level that there is not.
    #[error("{0}")]
    Level(#[from] crate::level::UnknownLevel),
}

impl PublishedReport {
    /// Reads an `evaluation_report.json`.
    ///
    /// # Errors
    /// When it is no JSON or no report, with the place.
    pub fn read_json(text: &[u8]) -> Result<Self, NoReport> {
        let document: Document = serde_json::from_slice(text).map_err(|error| {
            NoReport::Form(if error.is_data() {
                format!("is no evaluation report: {error}")
            } else {
                format!("is no JSON ({error}); it may have been cut off")
            })
        })?;
        let mut report = Self {
            model: document.summary.model,
            judges: document.summary.judge_model.map(|judges| {
                let judges = judges.split(", ").filter(|judge| !judge.is_empty());
                judges.map(str::to_owned).collect()
            }),
            execution_date: document.summary.execution_date,
            evaluation_date: document.summary.evaluation_date,
            scorer: match document.summary.scorer.as_deref() {
                Some("corrected") => Scorer::Corrected,
                _ => Scorer::Leaderboard,
            },
            sample_size: document.summary.sample_size,
            levels: Vec::new(),
            left_out: Vec::new(),
        };
        for (name, level) in document.by_level {
            let read = level.read(name.parse()?, &mut report.left_out);
            report.levels.push(read);
        }
        report.levels.sort_by_key(|level| level.level);
        Ok(report)
    }

    /// The report of a level, when it has it.
    pub fn level(&self, level: Level) -> Option<&PublishedLevel> {
        self.levels.iter().find(|report| report.level == level)
    }

    /// A level's mean of a metric.
    ///
    /// # Errors
    /// Why there is none.
    pub fn mean(&self, level: Level, metric: MetricId) -> Result<f64, String> {
        let report = self.level(level).ok_or("the level was not evaluated")?;
        let mean = report.means.iter().find(|mean| mean.metric == metric);
        let mean = mean.ok_or("the report does not have it")?;
        mean.value.ok_or_else(|| match mean.reasons.first() {
            Some((why, _)) => why.clone(),
            None => "the report has no value for it and does not say why".to_owned(),
        })
    }

    /// One reading of the composite score over this report's means.
    pub fn composite(&self, variant: CompositeVariant) -> Composite {
        composite(variant, |level, metric| self.mean(level, metric))
    }

    /// The mean of a figure over all tasks, weighted by the tasks of each level; `None` as soon as a level lacks it.
    pub fn figure(&self, of: impl Fn(&Figures) -> Option<f64>) -> Option<f64> {
        let (mut sum, mut tasks) = (0.0, 0.0);
        for level in &self.levels {
            let weight = f64::from(level.total_tasks?);
            sum += of(&level.figures)? * weight;
            tasks += weight;
        }
        (tasks > 0.0).then(|| sum / tasks)
    }
}

impl PublishedLevel {
    /// A level without anything yet.
    fn new(level: Level) -> Self {
        Self {
            level,
            total_tasks: None,
            evaluated_tasks: None,
            means: Vec::new(),
            figures: Figures::default(),
            tasks: Vec::new(),
            skipped: Vec::new(),
        }
    }
}

/// The parts of the published form that are read; the rest is checked to be JSON and skipped without being built.
#[derive(Deserialize)]
struct Document {
    summary: Summary,
    by_level: BTreeMap<String, LevelDocument>,
}

#[derive(Deserialize)]
struct Summary {
    model: Option<String>,
    judge_model: Option<String>,
    execution_date: Option<String>,
    evaluation_date: Option<String>,
    scorer: Option<String>,
    sample_size: Option<u64>,
}

#[derive(Deserialize)]
struct LevelDocument {
    total_tasks: Option<u32>,
    evaluated_tasks: Option<u32>,
    metrics: Map<String, Value>,
    #[serde(default)]
    metadata: Map<String, Value>,
    #[serde(default)]
    task_evaluations: Vec<TaskDocument>,
    #[serde(default)]
    unscored: BTreeMap<String, UnscoredDocument>,
    #[serde(default)]
    skipped: Vec<SkippedDocument>,
}

#[derive(Deserialize)]
struct TaskDocument {
    #[serde(deserialize_with = "text_of")]
    task_id: String,
    #[serde(default)]
    metrics: BTreeMap<String, ScoreDocument>,
}

#[derive(Deserialize)]
struct ScoreDocument {
    score: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct UnscoredDocument {
    tasks: u32,
    reasons: Map<String, Value>,
}

#[derive(Deserialize)]
struct SkippedDocument {
    #[serde(deserialize_with = "text_of")]
    task_id: String,
    #[serde(default)]
    reason: String,
}

/// Ids made by hand may be numbers.
fn text_of<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::String(text) => text,
        other => other.to_string(),
    })
}

impl LevelDocument {
    fn read(self, level: Level, left_out: &mut Vec<String>) -> PublishedLevel {
        let mut read = PublishedLevel::new(level);
        read.total_tasks = self.total_tasks;
        read.evaluated_tasks = self.evaluated_tasks;
        for (name, value) in &self.metrics {
            let Ok(metric) = name.parse::<MetricId>() else {
                left_out.push(format!("{level} has a metric `{name}` that is not known here"));
                continue;
            };
            let unscored = self.unscored.get(name);
            let reasons = unscored.map(|unscored| &unscored.reasons);
            let reasons = reasons.into_iter().flatten();
            read.means.push(PublishedMean {
                metric,
                value: value.as_f64(),
                unscored: unscored.map_or(0, |unscored| unscored.tasks),
                reasons: reasons
                    .map(|(why, count)| (why.clone(), count.as_u64().unwrap_or(0) as u32))
                    .collect(),
            });
        }
        read.figures = figures(&self.metadata);
        for task in self.task_evaluations {
            let mut scores: Vec<(MetricId, Option<f64>)> = task
                .metrics
                .iter()
                .filter_map(|(name, score)| Some((name.parse().ok()?, score.score)))
                .collect();
            scores.sort_by_key(|(metric, _)| *metric);
            read.tasks.push(PublishedTask {
                id: task.task_id,
                scores,
            });
        }
        let skipped = self.skipped.into_iter();
        read.skipped = skipped
            .map(|task| format!("{}: {}", task.task_id, task.reason))
            .collect();
        read
    }
}

/// A log writes 0 for tokens and times that no server reported.
fn figures(metadata: &Map<String, Value>) -> Figures {
    let number = |value: Option<&Value>| value.and_then(Value::as_f64);
    let measured = |value: Option<&Value>| number(value).filter(|figure| *figure != 0.0);
    Figures {
        seconds: number(metadata.get("average_execution_time")),
        tokens: measured(metadata.get("average_tokens_per_task")),
        prompt_tokens: measured(metadata.get("average_prompt_tokens")),
        completion_tokens: measured(metadata.get("average_completion_tokens")),
        tokens_per_second: measured(metadata.get("average_tps")),
        ttft: measured(metadata.get("ttft").and_then(|ttft| ttft.get("average"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        PublishedReport::read_json(text.as_bytes())
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn what_a_report_says_is_read_and_what_it_leaves_open_stays_open() {
        let text = r#"{"summary": {"model": "a/b", "judge_model": "j/1, j/2", "execution_date": "20251219"},
            "by_level": {"L6": {"total_tasks": 2, "evaluated_tasks": 2,
              "metrics": {"SR": null, "RedundantCallRate": -0.5, "Charm": 1.0},
              "unscored": {"SR": {"tasks": 2, "scored": 0, "reasons": {"no judge was asked": 2}}},
              "metadata": {"average_execution_time": 0.0, "average_tps": 0.0},
              "task_evaluations": [{"task_id": "L6-001", "success": true,
                 "metrics": {"SR": {"score": null, "unscored": "x"}, "RedundantCallRate": {"score": -1, "details": {"a": [1]}}}}]}}}"#;
        let report = PublishedReport::read_json(text.as_bytes()).unwrap();
        assert_eq!(report.judges, Some(vec!["j/1".to_owned(), "j/2".to_owned()]));
        assert_eq!(
            report.left_out,
            ["L6 has a metric `Charm` that is not known here"]
        );
        assert_eq!(report.mean(Level::L6, MetricId::RedundantCallRate), Ok(-0.5));
        assert_eq!(
            report.mean(Level::L6, MetricId::Sr).unwrap_err(),
            "no judge was asked"
        );
        assert_eq!(
            report.mean(Level::L1, MetricId::Sr).unwrap_err(),
            "the level was not evaluated"
        );
        let level = &report.levels[0];
        assert_eq!(level.figures.seconds, Some(0.0));
        assert_eq!(
            (level.figures.tokens_per_second, level.figures.ttft),
            (None, None)
        );
        assert_eq!(
            level.tasks[0].scores,
            [(MetricId::Sr, None), (MetricId::RedundantCallRate, Some(-1.0))]
        );
    }

    #[test]
    fn what_is_no_report_says_why() {
        assert!(refused("{\"summary\": {").contains("is no JSON (EOF"));
        assert!(refused("").contains("it may have been cut off"));
        assert!(refused("{}").contains("is no evaluation report: missing field `summary`"));
        assert!(refused("[1, 2]").contains("is no evaluation report"));
        let level = r#"{"summary": {}, "by_level": {"L8": {"metrics": {}}}}"#;
        assert_eq!(refused(level), "`L8` is no level; levels are L1 to L7");
    }
}
