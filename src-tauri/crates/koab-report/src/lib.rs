//! Scores logs and verdicts to a report, and writes a report as files and texts.
//!
//! ```
//! use koab_core::judge::Verdicts;
//! use koab_core::log::LevelLog;
//! use koab_report::{Dataset, EvaluationOptions, evaluate, to_csv, to_json, to_markdown};
//! use serde_json::json;
//!
//! let document = json!({
//!     "metadata": {"level": "L2", "model": "provider/model"},
//!     "results": [{
//!         "task_id": "L2-001", "success": true, "golden_action": [{"tool": "A"}],
//!         "tool_calls": [{"tool_name": "A", "success": true}], "final_response": "done",
//!     }],
//! });
//! let logs = vec![LevelLog::read(&document)?];
//! let options = EvaluationOptions { execution_date: "20251219".into(), ..Default::default() };
//! // `questions` tells what to ask; without any verdict, judged metrics stay unscored.
//! let report = evaluate(&logs, &Dataset::none(), &Verdicts::none(), &options);
//! assert!(to_json(&report).contains("\"SelectAcc\": 1.0"));
//! assert!(to_csv(&report).starts_with("Level,"));
//! assert!(to_markdown(&report).contains("provider/model"));
//! # Ok::<(), koab_core::log::LogError>(())
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod agreement;
mod benchmark;
mod combined;
pub mod comparability;
mod compare;
mod csv;
mod evaluation;
pub mod interval;
mod json;
mod markdown;
mod markdown_cell;
mod mean;
mod measure;
mod page;
mod read;
pub mod repetitions;
mod statistics;
#[cfg(test)]
mod tests;

pub use self::csv::to_csv;
pub use agreement::{AnswerScale, Compared, JudgeAgreement, PairKappa, agreement};
pub use benchmark::{BenchmarkTables, ItemRow, ItemRows, PrintedCell, PrintedTable};
pub use combined::{
    CombineError, CombinedNames, CombinedOrder, CombinedTable, RowNames, combine, combine_ordered,
    combined_row,
};
pub use compare::{
    ComparedComposite, ComparedLevel, ComparedMetric, ComparedTask, ComparedValues, Comparison, Contender,
    Duel, TaskScores, compare,
};
pub use evaluation::{
    Dataset, Evaluated, EvaluationOptions, ItemScorer, evaluate, evaluate_whole, questions,
    questions_with_inputs, report_of, technical_failure,
};
pub use json::to_json;
pub use markdown::{to_markdown, to_markdown_of};
pub use markdown_cell::markdown_cell;
pub use mean::LevelMean;
pub use measure::{OVERALL, OverallMean, level_score, overall, own_metrics};
pub use page::{Repeated, page};
pub use read::{
    CombinedRow, NoReport, ReadReport, read_combined, read_json, read_summary, task_verdicts_of, verdicts_of,
};
pub use statistics::{CompositeReading, Statistics};

use koab_core::judge::{Aggregate, Panel};
use koab_core::level::Level;
use koab_core::log::SkippedTask;
use koab_core::protocol::Protocol;
use koab_core::python::truthy;
use koab_core::reason::Reason;
use koab_core::score::composite::{Composite, CompositeVariant, composite};
use koab_core::score::{MetricId, MetricSet, Score};
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Scores of one run, task by task and level by level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Model id.
    pub model: String,
    /// Judge model ids.
    pub judges: Vec<String>,
    /// Base URL of the judges' server, if the report has one.
    pub judge_base_url: Option<String>,
    /// Number of votes of the first judge on SR.
    pub votes: usize,
    /// Aggregation of the grades of several judges.
    pub aggregate: Aggregate,
    /// Rules that the run was scored by: leaderboard or corrected.
    pub scorer: Protocol,
    /// Set of metrics in the report.
    pub metrics: MetricSet,
    /// Date of the run as stated, normally `YYYYMMDD`.
    pub execution_date: String,
    /// Time of the scoring, as ISO local time.
    pub evaluation_date: String,
    /// Number of tasks of each level that were scored, if not all were.
    pub sample_size: Option<usize>,
    /// Levels in order.
    pub levels: Vec<LevelReport>,
    /// Reason why there is no number over all tasks: attempts failed for technical reasons.
    ///
    /// Levels and tasks keep their scores. The reason comes from the report's run and is not stored
    /// in a file of the report.
    #[serde(skip)]
    pub unmeasured: Option<Sentence>,
}

/// Scores of one level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelReport {
    /// Level that the scores belong to.
    pub level: Level,
    /// Number of tasks in the log; `None` where the file does not contain the number.
    pub total_tasks: Option<usize>,
    /// Number of tasks that were scored; `None` where the file does not contain the number.
    pub evaluated_tasks: Option<usize>,
    /// Metadata of the level's log.
    pub metadata: Map<String, Value>,
    /// Mean of each metric in report order, RRR last; empty when no task was evaluated.
    pub means: Vec<LevelMean>,
    /// Evaluated tasks in file order; empty if only a summary was available.
    pub tasks: Vec<TaskReport>,
    /// Tasks that could not be read; no mean includes them.
    pub skipped: Vec<SkippedTask>,
}

/// Scores of one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskReport {
    /// Task id.
    pub id: String,
    /// Value of `success` in the log, unchanged.
    pub success: Value,
    /// Score of each metric in report order.
    pub scores: Vec<(MetricId, Score)>,
}

/// Levels or groups that at least one of these reports has, in order.
pub fn levels_of<'a>(reports: impl IntoIterator<Item = &'a Report>) -> BTreeSet<&'a Level> {
    let levels = reports.into_iter().flat_map(|report| &report.levels);
    levels.map(|level| &level.level).collect()
}

impl Report {
    /// Copy of the report that has only these metrics.
    #[must_use]
    pub fn with_metrics(&self, metrics: MetricSet) -> Self {
        let mut report = Self { metrics, ..self.clone() };
        for level in &mut report.levels {
            level.means.retain(|mean| metrics.has(mean.metric));
            for task in &mut level.tasks {
                task.scores.retain(|(metric, _)| metrics.has(*metric));
            }
        }
        report
    }

    /// Number of tasks in the logs; `None` if the number of a level is unknown.
    pub fn total_tasks(&self) -> Option<usize> {
        self.levels.iter().map(|level| level.total_tasks).sum()
    }

    /// Number of tasks that were scored; `None` if the number of a level is unknown.
    pub fn evaluated_tasks(&self) -> Option<usize> {
        self.levels.iter().map(|level| level.evaluated_tasks).sum()
    }

    /// Whether votes or aggregation differ from the published reports (three votes, mean).
    pub fn panel_differs(&self) -> bool {
        let published = Panel::default();
        (self.votes, self.aggregate) != (published.votes, published.aggregate)
    }

    /// Report of a level, if the level was evaluated.
    pub fn level(&self, level: &Level) -> Option<&LevelReport> {
        self.levels.iter().find(|report| report.level == *level)
    }

    /// A level's mean of a metric.
    ///
    /// # Errors
    /// The reason why the report has no such mean.
    pub fn mean(&self, level: &Level, metric: MetricId) -> Result<f64, Sentence> {
        let report = self.level(level).ok_or(Reason::NotEvaluated {})?;
        let mean = report.mean(metric).ok_or(Reason::NotInReport {})?;
        mean.figure.measured()
    }

    /// Whether the report belongs to a benchmark other than Ko-AgentBench: it has a group that is
    /// not one of the seven levels.
    pub fn is_of_another_benchmark(&self) -> bool {
        self.levels.iter().any(|level| level.level.place().is_none())
    }

    /// Metrics that have a mean over all tasks.
    pub fn overall_metrics(&self) -> impl Iterator<Item = MetricId> {
        let only_success = self.is_of_another_benchmark();
        let metrics = OVERALL.into_iter();
        metrics.filter(move |metric| !only_success || *metric == MetricId::Sr)
    }

    /// Composite score in one reading (one of its possible definitions), computed from the report's
    /// means.
    pub fn composite(&self, variant: CompositeVariant) -> Composite {
        let of_another = || self.is_of_another_benchmark().then(|| Reason::NoComposite {}.into());
        if let Some(why) = self.unmeasured.clone().or_else(of_another) {
            let none = || Err(why.clone());
            return Composite {
                variant,
                basic: none(),
                error_handling: none(),
                efficiency: none(),
                context: none(),
                composite: none(),
            };
        }
        composite(variant, |level, metric| self.mean(level, metric))
    }

    /// Mean over all tasks of a figure that each level has as a mean ([`LevelReport::figure`]);
    /// `None` if a level lacks the figure.
    pub fn figure(&self, path: &str) -> Option<f64> {
        let (mut sum, mut tasks) = (0.0, 0.0);
        for level in &self.levels {
            let weight = level.total_tasks? as f64;
            sum += level.figure(path)? * weight;
            tasks += weight;
        }
        (tasks > 0.0).then(|| sum / tasks)
    }
}

impl LevelReport {
    /// Mean of a metric, if the level has it.
    pub fn mean(&self, metric: MetricId) -> Option<&LevelMean> {
        self.means.iter().find(|mean| mean.metric == metric)
    }

    /// Whether the metadata has this key, with or without a value.
    fn has_figure(&self, path: &str) -> bool {
        self.metadata.contains_key(path.split('.').next().unwrap_or(path))
    }

    /// Number in the metadata, by key or `group.key`; `None` when it is missing or was not
    /// measured.
    pub fn figure(&self, path: &str) -> Option<f64> {
        let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
        let value = self.metadata.get(first)?;
        let figure = rest.map_or(Some(value), |rest| value.get(rest))?.as_f64()?;
        // The published form has no null here: a log contains 0 for tokens and times that no server
        // reported.
        let measured = figure != 0.0 || !(first == "ttft" || path.contains("tokens") || path.contains("tps"));
        measured.then_some(figure)
    }
}

impl TaskReport {
    /// Score of a metric, if the task has it.
    pub fn score(&self, metric: MetricId) -> Option<&Score> {
        self.scores.iter().find(|(id, _)| *id == metric).map(|(_, score)| score)
    }

    /// Whether the model gave an answer, according to the log.
    pub fn answered(&self) -> bool {
        truthy(&self.success)
    }

    /// Value that this task contributes to a metric's mean. The value for RRR is whether there is
    /// an answer.
    pub fn value(&self, metric: MetricId) -> Option<f64> {
        if metric == MetricId::Rrr {
            return Some(f64::from(u8::from(self.answered())));
        }
        self.score(metric)?.value()
    }
}

/// Number for display; a dash if it is unknown.
fn count(count: Option<usize>) -> String {
    count.map_or_else(|| "—".to_owned(), |count| count.to_string())
}
