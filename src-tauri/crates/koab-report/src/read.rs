//! Reads reports from files, regardless of the program that wrote them: `evaluation_report.json`,
//! `evaluation_summary.csv` and rows of the combined summary (`docs/spec/metrics.md` §6, §7, §9).
//!
//! A report that is read from JSON and written again has the same bytes. Means are taken from the
//! file and are never computed again. Values that a file lacks are `None` or empty, never 0.
//! Unknown metrics and levels are left out and reported. The module does not know the run or the
//! path of a report.

mod table;
mod verdicts;

pub use table::{CombinedRow, read_combined, read_summary};
pub use verdicts::{task_verdicts_of, verdicts_of};

use super::{LevelMean, LevelReport, Report, TaskReport};
use koab_core::judge::{Aggregate, Panel};
use koab_core::level::Level;
use koab_core::log::SkippedTask;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::score::{MetricId, MetricSet, Score};
use koab_core::sentence::Sentence;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Maximum number of levels or groups in a report.
const MAX_GROUPS: usize = 4096;

/// Report that was read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadReport {
    /// The report. Its model and dates are empty if the file does not contain them.
    pub report: Report,
    /// Whether the file names its judges. Otherwise the judges are unknown, and the report's list
    /// of judges is empty.
    pub names_judges: bool,
    /// Sentences about unknown parts of the file that were left out.
    pub left_out: Vec<Sentence>,
}

/// Reason why a file is not a report. The file is the subject of the sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
pub enum NoReport {
    /// The file cannot be read as JSON or CSV, or lacks a part that every report has.
    #[error("{0}")]
    Form(Sentence),
    /// The file has a level that does not exist.
    #[error("{0}")]
    Level(#[from] koab_core::level::UnknownLevel),
}

impl ReadReport {
    /// Model id, if the file has it.
    pub fn model(&self) -> Option<&str> {
        Some(self.report.model.as_str()).filter(|model| !model.is_empty())
    }

    /// Date of the run, if the file has it.
    pub fn execution_date(&self) -> Option<&str> {
        Some(self.report.execution_date.as_str()).filter(|date| !date.is_empty())
    }

    /// Creates a report that has only levels.
    fn of_levels(mut levels: Vec<LevelReport>) -> Self {
        levels.sort_by(|one, other| one.level.cmp(&other.level));
        let published = Panel::default();
        let means = levels.iter().flat_map(|level| &level.means);
        let metrics = match means.map(|mean| mean.metric).find(|id| !id.is_in_head()) {
            Some(_) => MetricSet::All,
            None => MetricSet::Head,
        };
        Self {
            report: Report {
                model: String::new(),
                judges: Vec::new(),
                judge_base_url: None,
                votes: published.votes,
                aggregate: published.aggregate,
                scorer: Protocol::Leaderboard,
                metrics,
                execution_date: String::new(),
                evaluation_date: String::new(),
                sample_size: None,
                levels,
                unmeasured: None,
            },
            names_judges: false,
            left_out: Vec::new(),
        }
    }
}

/// Reads an `evaluation_report.json`.
///
/// # Errors
/// When the text is not JSON or not a report, with the place of the fault. Unknown parts are no
/// error; they are left out.
pub fn read_json(text: &[u8]) -> Result<ReadReport, NoReport> {
    let document: Document = serde_json::from_slice(text).map_err(|error| {
        NoReport::Form(if error.is_data() {
            say!("is not an evaluation report: {error}")
        } else {
            say!("is not JSON ({error}); it may have been cut off")
        })
    })?;
    check_count(document.by_level.len())?;
    let mut left_out = Vec::new();
    let mut levels = Vec::new();
    let only_success = document.by_level.values().all(LevelDocument::is_of_success);
    let is_other = only_success && are_groups(document.by_level.keys().map(String::as_str));
    for (name, level) in document.by_level {
        match level_of(&name, is_other) {
            Some(known) => levels.push(level.read(known, &mut left_out)?),
            None => left_out.push(say!("the level {name} is unknown here")),
        }
    }
    let summary = document.summary;
    let mut read = ReadReport::of_levels(levels);
    read.left_out = left_out;
    read.names_judges = summary.judge_model.is_some();
    let report = &mut read.report;
    report.model = summary.model.unwrap_or_default();
    report.judges = summary
        .judge_model
        .unwrap_or_default()
        .split(", ")
        .filter(|name| !name.is_empty())
        .map(ToOwned::to_owned)
        .collect();
    report.judge_base_url = summary.judge_base_url;
    report.votes = summary.judge_votes.unwrap_or(report.votes);
    report.aggregate = summary.judge_aggregate.unwrap_or(report.aggregate);
    // Files of the published tool have no such key and follow the leaderboard's rules.
    report.scorer = summary.scorer.unwrap_or_default();
    report.execution_date = summary.execution_date.unwrap_or_default();
    report.evaluation_date = summary.evaluation_date.unwrap_or_default();
    report.sample_size = summary.sample_size;
    Ok(read)
}

/// Whether all names are groups of another benchmark, and none is a level of Ko-AgentBench.
fn are_groups<'a>(mut names: impl Iterator<Item = &'a str>) -> bool {
    names.all(|name| name.parse::<Level>().is_err())
}

/// Refuses a file with more groups than a benchmark can have.
fn check_count(groups: usize) -> Result<(), NoReport> {
    if groups > MAX_GROUPS {
        return Err(NoReport::Form(say!("has {groups} groups; no benchmark has that many")));
    }
    Ok(())
}

/// Level with this name; in a report of another benchmark, the group with this name.
fn level_of(name: &str, is_other: bool) -> Option<Level> {
    if is_other { Level::group(name).ok() } else { name.parse().ok() }
}

/// Parts of the published form that are read, and additions of this product (`json.rs`).
#[derive(Deserialize)]
#[serde(expecting = "an object with `summary` and `by_level`")]
struct Document {
    summary: Summary,
    by_level: BTreeMap<String, LevelDocument>,
}

#[derive(Deserialize)]
#[serde(expecting = "a summary, which is an object")]
struct Summary {
    model: Option<String>,
    judge_model: Option<String>,
    judge_base_url: Option<String>,
    judge_votes: Option<usize>,
    judge_aggregate: Option<Aggregate>,
    execution_date: Option<String>,
    evaluation_date: Option<String>,
    scorer: Option<Protocol>,
    sample_size: Option<usize>,
}

#[derive(Deserialize)]
#[serde(expecting = "a level, which is an object")]
struct LevelDocument {
    total_tasks: Option<usize>,
    evaluated_tasks: Option<usize>,
    metrics: Option<Map<String, Value>>,
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
#[serde(expecting = "a task's evaluation, which is an object")]
struct TaskDocument {
    /// Id of the task, which may be a number in files that were written by hand.
    task_id: Value,
    success: Option<Value>,
    #[serde(default)]
    metrics: Map<String, Value>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct UnscoredDocument {
    tasks: usize,
    scored: Option<usize>,
    reasons: Map<String, Value>,
}

#[derive(Deserialize)]
struct SkippedDocument {
    task_id: Value,
    #[serde(default)]
    reason: Sentence,
}

impl LevelDocument {
    /// Whether the level has only the success rate and no other metric, like the groups of other
    /// benchmarks.
    fn is_of_success(&self) -> bool {
        let metrics = self.metrics.iter().flat_map(Map::keys);
        self.metrics.is_some() && metrics.into_iter().all(|name| name == MetricId::Sr.name())
    }

    fn read(self, level: Level, left_out: &mut Vec<Sentence>) -> Result<LevelReport, NoReport> {
        let lacks_metrics =
            || NoReport::Form(say!("is not an evaluation report: by_level.{level} has no `metrics`"));
        let metrics = self.metrics.ok_or_else(lacks_metrics)?;
        let tasks: Vec<TaskReport> = self.task_evaluations.into_iter().map(TaskDocument::read).collect();
        let task_count = Some(tasks.len()).filter(|count| *count > 0);
        let evaluated = self.evaluated_tasks.or(task_count);
        let mut means = Vec::new();
        for (name, value) in &metrics {
            match name.parse() {
                Ok(metric) => {
                    let (value, stated) = (value.as_f64(), self.unscored.get(name));
                    means.push(read_mean(metric, value, evaluated, &tasks, stated));
                }
                Err(_) => left_out.push(say!("{level}: the metric {name} is unknown here")),
            }
        }
        Ok(LevelReport {
            level,
            total_tasks: self.total_tasks.or(evaluated),
            evaluated_tasks: evaluated,
            metadata: self.metadata,
            means,
            tasks,
            skipped: self
                .skipped
                .into_iter()
                .enumerate()
                .map(|(position, task)| SkippedTask {
                    id: text_of(task.task_id),
                    position,
                    reason: task.reason,
                })
                .collect(),
        })
    }
}

impl TaskDocument {
    fn read(self) -> TaskReport {
        let scores = self.metrics.into_iter();
        TaskReport {
            id: text_of(self.task_id),
            success: self.success.unwrap_or(Value::Bool(false)),
            scores: scores
                .filter_map(|(name, score)| Some((name.parse().ok()?, read_score(score))))
                .collect(),
        }
    }
}

fn text_of(id: Value) -> String {
    match id {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

fn read_score(mut score: Value) -> Score {
    let text = |key: &str| score.get(key).and_then(Value::as_str).map(ToOwned::to_owned);
    if let Some(error) = text("error") {
        return Score::Errored { error };
    }
    let (value, unscored) = (score.get("score").and_then(Value::as_f64), text("unscored"));
    let details = score.get_mut("details").map(Value::take).unwrap_or_default();
    match (value, unscored) {
        (Some(value), _) => Score::scored(value, details),
        (None, Some(reason)) => Score::Unscored { reason: reason.into() },
        (None, None) => Score::NotApplicable { details },
    }
}

/// Mean of a metric as stated in the report, with counts from the tasks.
fn read_mean(
    metric: MetricId,
    value: Option<f64>,
    evaluated: Option<usize>,
    tasks: &[TaskReport],
    stated: Option<&UnscoredDocument>,
) -> LevelMean {
    let mut mean = LevelMean::from_file(metric, value, evaluated);
    if let Some(stated) = stated {
        mean.scored = stated.scored;
        mean.unscored = stated.tasks;
        let reasons = stated.reasons.iter();
        mean.unscored_reasons = reasons
            .map(|(reason, count)| (reason.as_str().into(), count.as_u64().unwrap_or_default() as usize))
            .collect();
    }
    if !tasks.is_empty() && metric != MetricId::Rrr {
        let scores = || tasks.iter().filter_map(|task| task.score(metric));
        let count = |is: fn(&Score) -> bool| scores().filter(|score| is(score)).count();
        mean.scored = Some(count(|score| score.value().is_some()));
        mean.errored = count(|score| matches!(score, Score::Errored { .. }));
        mean.unscored = count(|score| matches!(score, Score::Unscored { .. }));
        mean.not_applicable = count(|score| matches!(score, Score::NotApplicable { .. }));
    }
    mean.set(value);
    mean
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(document: &Value) -> Result<ReadReport, NoReport> {
        read_json(document.to_string().as_bytes())
    }

    #[test]
    fn what_a_report_says_is_read_and_what_it_leaves_open_stays_open() {
        let report = json!({
            "summary": {"model": "a/b", "judge_model": "j, k", "execution_date": "20251219"},
            "by_level": {
                "L6": {"total_tasks": 2, "metrics": {"SR": null, "RedundantCallRate": -0.5, "Novel": 1.0},
                    "metadata": {"average_execution_time": 0.0, "average_tps": 0.0},
                    "task_evaluations": [{"task_id": 7, "success": true, "metrics": {
                        "SR": {"score": null, "unscored": "no judge was asked"}, "Novel": {"score": 1.0},
                        "RedundantCallRate": {"score": -1, "details": {"a": [1]}}}}],
                    "unscored": {"SR": {"tasks": 1, "scored": 0, "reasons": {"no judge was asked": 1}}}},
                "L1": {"evaluated_tasks": 3, "metrics": {"SR": 0.5, "ToolAcc": null}},
                "L9": {},
            },
        });
        let read = read(&report).unwrap();
        assert_eq!(read.left_out, ["L6: the metric Novel is unknown here", "the level L9 is unknown here"]);
        let report = &read.report;
        assert_eq!(
            (read.names_judges, report.judges.as_slice()),
            (true, &["j".to_owned(), "k".to_owned()][..])
        );
        assert_eq!(report.mean(&Level::L6, MetricId::RedundantCallRate), Ok(-0.5));
        let why = |level, metric| report.mean(level, metric).unwrap_err();
        assert_eq!(why(&Level::L6, MetricId::Sr), "no judge was asked");
        assert_eq!(why(&Level::L1, MetricId::ToolAcc), "the file has no value and does not say why");
        assert_eq!(why(&Level::L2, MetricId::Sr), "the level was not evaluated");
        let [l1, l6] = &report.levels[..] else { panic!("{:?}", report.levels) };
        assert_eq!((l6.evaluated_tasks, l6.total_tasks, l6.means[0].unscored), (Some(1), Some(2), 1));
        assert_eq!(
            (l6.tasks[0].id.as_str(), l6.tasks[0].value(MetricId::RedundantCallRate)),
            ("7", Some(-1.0))
        );
        assert_eq!((l6.figure("average_execution_time"), l6.figure("average_tps")), (Some(0.0), None));
        // A report without its tasks still says how many there were, and not how many had no score.
        assert_eq!((l1.total_tasks, l1.evaluated_tasks, l1.tasks.len()), (Some(3), Some(3), 0));
        assert_eq!((l1.means[0].scored, l1.means[1].scored), (Some(3), None));
    }

    #[test]
    fn what_is_no_report_says_why() {
        let refused = |text: &str| read_json(text.as_bytes()).unwrap_err().to_string();
        for (text, sentence) in [
            (
                "{\"summary\": {",
                "is not JSON (EOF while parsing an object at line 1 column 13); it may have been cut off",
            ),
            ("", "is not JSON (EOF while parsing a value at line 1 column 0); it may have been cut off"),
            ("{}", "is not an evaluation report: missing field `summary` at line 1 column 2"),
            (
                "[1, 2]",
                "is not an evaluation report: invalid type: integer `1`, expected a summary, which is an object at line 1 column 2",
            ),
            (
                r#"{"summary": {"scorer": "best"}, "by_level": {}}"#,
                "is not an evaluation report: unknown variant `best`, expected `leaderboard` or `corrected` at line 1 column 29",
            ),
            (
                r#"{"summary": {}, "by_level": {"L1": {"metrics": {}, "task_evaluations": [{}]}}}"#,
                "is not an evaluation report: missing field `task_id` at line 1 column 74",
            ),
            (
                r#"{"summary": {}, "by_level": {"L1": {}}}"#,
                "is not an evaluation report: by_level.L1 has no `metrics`",
            ),
        ] {
            assert_eq!(refused(text), sentence);
        }
    }
}
