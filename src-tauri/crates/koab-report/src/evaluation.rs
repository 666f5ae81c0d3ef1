//! Scoring of a run: the questions for the judges, and the report from their answers.

use super::benchmark::{BenchmarkTables, ItemRows};
use super::{LevelMean, LevelReport, Report, TaskReport};
use koab_core::judge::{Answer, Inputs, JudgePrompts, JudgeQuestion, Panel, Verdict, Verdicts};
use koab_core::log::{LevelLog, LoggedTask};
use koab_core::protocol::Protocol;
use koab_core::python::truthy;
use koab_core::reason::Reason;
use koab_core::score::{Assessment, MetricSet, Score, TaskContext, metrics_of};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::Arc;

/// Options of the scoring.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvaluationOptions {
    /// Model id for the report; null for the model id in the logs.
    pub model: Option<String>,
    /// Rules of the scoring: leaderboard or corrected.
    pub scorer: Protocol,
    /// Set of metrics.
    pub metrics: MetricSet,
    /// Judges, votes and the aggregation of grades.
    pub panel: Panel,
    /// Date of the run as stated, normally `YYYYMMDD`.
    pub execution_date: String,
    /// Time of the scoring, as ISO local time.
    pub evaluation_date: String,
    /// Number of tasks of each level to score, in file order; null for all.
    pub sample_size: Option<usize>,
}

/// Scorer for another benchmark. The logs of its runs have one reply per item.
pub trait ItemScorer: Debug + Send + Sync {
    /// Questions for the judges about the replies, each with the texts that a person needs to judge
    /// the reply.
    fn questions(&self, logs: &[LevelLog], options: &EvaluationOptions) -> Vec<(JudgeQuestion, Inputs)>;
    /// Meaning of a judge's reply under the rules of `scorer`: whether the judged answer is right.
    /// `None` where the reply does not decide this.
    fn says(&self, reply: &str, scorer: Protocol) -> Option<bool>;
    /// Whether a judge's reply is usable under the rules of `scorer`. An unusable reply is
    /// requested again.
    fn usable(&self, reply: &str, scorer: Protocol) -> bool;
    /// Number of items in the pack.
    fn size(&self) -> usize;
    /// Known differences between the published and the corrected rules, each as stable name,
    /// metrics, published rule and corrected rule.
    fn differences(&self) -> Vec<(&'static str, &'static [&'static str], &'static str, &'static str)>;
    /// Scores a run and returns its report, with the results for each item and the tables of the
    /// authors.
    fn evaluate(&self, logs: &[LevelLog], verdicts: &Verdicts, options: &EvaluationOptions) -> Evaluated;
}

/// Result of a scoring: the report, and the parts that only benchmarks other than Ko-AgentBench
/// have.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluated {
    /// Report of the run.
    pub report: Report,
    /// Results for each item.
    pub items: Vec<ItemRows>,
    /// Tables of the benchmark's authors.
    pub tables: Option<BenchmarkTables>,
}

/// Dataset that a scoring needs: tasks by id, with data that the logs lack, or the scorer of
/// another benchmark.
#[derive(Clone, Debug, Default)]
pub struct Dataset {
    tasks: HashMap<String, Value>,
    items: Option<Arc<dyn ItemScorer>>,
}

impl Dataset {
    /// Creates an empty dataset.
    pub fn none() -> Self {
        Self::default()
    }

    /// Creates a dataset from task objects as in `L<n>.json`. Objects without `task_id` are left
    /// out.
    pub fn from_tasks(tasks: impl IntoIterator<Item = Value>) -> Self {
        let by_id = |task: Value| Some((task.get("task_id")?.as_str()?.to_owned(), task));
        Self { tasks: tasks.into_iter().filter_map(by_id).collect(), items: None }
    }

    /// Creates the dataset of another benchmark from its scorer.
    pub fn of_items(items: Arc<dyn ItemScorer>) -> Self {
        Self { tasks: HashMap::new(), items: Some(items) }
    }

    /// Scorer of another benchmark; `None` in a dataset of Ko-AgentBench.
    pub fn items(&self) -> Option<&dyn ItemScorer> {
        self.items.as_deref()
    }

    /// Whether the dataset belongs to a benchmark other than Ko-AgentBench.
    pub fn is_of_items(&self) -> bool {
        self.items.is_some()
    }

    /// Copy of a verdict. A free-text answer in it is interpreted as yes or no.
    ///
    /// Only another benchmark has such answers; other verdicts stay unchanged.
    pub fn read(&self, verdict: &Verdict, scorer: Protocol) -> Verdict {
        let mut read = verdict.clone();
        if let (Some(items), Answer::Answered(opinion)) = (&self.items, &mut read.answer)
            && opinion.success.is_none()
        {
            let words = opinion.reason.as_deref();
            opinion.success = words.and_then(|words| items.says(words, scorer));
        }
        read
    }

    /// Whether the dataset has no tasks.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty() && self.items.is_none()
    }

    fn task(&self, id: &str) -> Option<&Value> {
        self.tasks.get(id)
    }
}

/// Questions to the judges before scoring, by level, task and metric. Metrics that can be scored
/// from the log alone have no questions.
pub fn questions(
    logs: &[LevelLog],
    dataset: &Dataset,
    prompts: &JudgePrompts,
    options: &EvaluationOptions,
) -> Vec<JudgeQuestion> {
    questions_with_inputs(logs, dataset, prompts, options).into_iter().map(|(question, _)| question).collect()
}

/// Questions as from [`questions`], each with the texts that were inserted into its prompt.
pub fn questions_with_inputs(
    logs: &[LevelLog],
    dataset: &Dataset,
    prompts: &JudgePrompts,
    options: &EvaluationOptions,
) -> Vec<(JudgeQuestion, Inputs)> {
    let mut questions = Vec::new();
    if let Some(items) = &dataset.items {
        return items.questions(logs, options);
    }
    for log in in_order(logs) {
        for task in sampled(log, options) {
            let cx = context(log, task, dataset, options);
            // The answer of a failed attempt is not the model's.
            if technical_failure(task).is_some() {
                continue;
            }
            for metric in metrics_of(&log.level, options.metrics) {
                if let Assessment::Ask(inputs) = metric.assess(&cx) {
                    let votes = options.panel.votes;
                    let question =
                        JudgeQuestion::new(&log.level, &task.id, metric.id, prompts, &inputs, votes);
                    questions.extend(question.map(|question| (question, inputs)));
                }
            }
        }
    }
    questions
}

/// Scores a run and returns its report.
pub fn evaluate(
    logs: &[LevelLog],
    dataset: &Dataset,
    verdicts: &Verdicts,
    options: &EvaluationOptions,
) -> Report {
    evaluate_whole(logs, dataset, verdicts, options).report
}

/// Scores a run. The result includes the parts that only benchmarks other than Ko-AgentBench have.
pub fn evaluate_whole(
    logs: &[LevelLog],
    dataset: &Dataset,
    verdicts: &Verdicts,
    options: &EvaluationOptions,
) -> Evaluated {
    if let Some(items) = &dataset.items {
        return items.evaluate(logs, verdicts, options);
    }
    let levels = in_order(logs).map(|log| evaluate_level(log, dataset, verdicts, options));
    Evaluated { report: report_of(levels.collect(), verdicts, options), items: Vec::new(), tables: None }
}

/// Report of levels that have already been scored.
pub fn report_of(levels: Vec<LevelReport>, verdicts: &Verdicts, options: &EvaluationOptions) -> Report {
    let logged_model = || {
        levels
            .iter()
            .find_map(|level| level.metadata.get("model").and_then(Value::as_str))
            .unwrap_or_default()
    };
    Report {
        model: options.model.clone().unwrap_or_else(|| logged_model().to_owned()),
        judges: if options.panel.judges.is_empty() {
            verdicts.judges()
        } else {
            options.panel.judges.clone()
        },
        judge_base_url: options.panel.base_url.clone(),
        votes: options.panel.votes,
        aggregate: options.panel.aggregate,
        scorer: options.scorer,
        metrics: options.metrics,
        execution_date: options.execution_date.clone(),
        evaluation_date: options.evaluation_date.clone(),
        sample_size: options.sample_size,
        levels,
        unmeasured: None,
    }
}

fn evaluate_level(
    log: &LevelLog,
    dataset: &Dataset,
    verdicts: &Verdicts,
    options: &EvaluationOptions,
) -> LevelReport {
    let tasks: Vec<TaskReport> = sampled(log, options)
        .map(|task| {
            let cx = context(log, task, dataset, options);
            let technical = technical_failure(task);
            let scores = metrics_of(&log.level, options.metrics)
                .map(|metric| {
                    let score = metric.score(&cx, verdicts.about(&task.id, metric.id));
                    // The published rules score a failed attempt by the metrics that the log alone
                    // decides.
                    let stands = options.scorer == Protocol::Leaderboard && score.value().is_some();
                    let score = match technical {
                        Some(error) if !stands => {
                            Score::unscored(Reason::AttemptFailed { error: error.into() })
                        }
                        _ => score,
                    };
                    (metric.id, score)
                })
                .collect();
            let success = match task.get("success") {
                Value::Null => Value::Bool(false),
                other => other.clone(),
            };
            TaskReport { id: task.id.clone(), success, scores }
        })
        .collect();
    let mut means = Vec::new();
    if !tasks.is_empty() {
        means.extend(metrics_of(&log.level, options.metrics).enumerate().map(|(i, metric)| {
            LevelMean::compute(metric, options.scorer, tasks.iter().map(|task| &task.scores[i].1))
        }));
        let with_answer = tasks.iter().filter(|task| truthy(&task.success)).count();
        means.push(LevelMean::of_answers(with_answer, tasks.len()));
    }
    LevelReport {
        level: log.level.clone(),
        total_tasks: Some(log.total()),
        evaluated_tasks: Some(tasks.len()),
        metadata: log.metadata.clone(),
        means,
        tasks,
        skipped: log.skipped.clone(),
    }
}

/// Error of an attempt that ended without an answer for a technical reason (a dead server, a time
/// limit). It gives no information about the model.
pub fn technical_failure(task: &LoggedTask) -> Option<&str> {
    let error = task.get("error").as_str().filter(|error| !error.is_empty())?;
    (!truthy(task.get("success")) && !truthy(task.get("final_response"))).then_some(error)
}

fn in_order(logs: &[LevelLog]) -> impl Iterator<Item = &LevelLog> {
    let mut logs: Vec<&LevelLog> = logs.iter().collect();
    logs.sort_by(|one, other| one.level.cmp(&other.level));
    logs.into_iter()
}

fn sampled<'a>(log: &'a LevelLog, options: &EvaluationOptions) -> impl Iterator<Item = &'a LoggedTask> {
    let end = options.sample_size.unwrap_or(usize::MAX);
    log.tasks.iter().filter(move |task| task.position < end)
}

fn context<'a>(
    log: &'a LevelLog,
    task: &'a LoggedTask,
    dataset: &'a Dataset,
    options: &'a EvaluationOptions,
) -> TaskContext<'a> {
    TaskContext {
        level: &log.level,
        task,
        dataset: dataset.task(&task.id),
        scorer: options.scorer,
        panel: &options.panel,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{to_csv, to_json, to_markdown};
    use koab_core::judge::Verdict;
    use koab_core::level::Level;
    use koab_core::score::MetricId;
    use proptest::prelude::*;
    use serde_json::{Map, json};

    /// Keys of a log that metrics read. Generated logs have arbitrary values under these keys.
    const KEYS: [&str; 24] = [
        "task_id",
        "level",
        "success",
        "golden_action",
        "minimum_steps",
        "data_flow",
        "tool_calls",
        "tool_name",
        "arguments",
        "result",
        "step",
        "tool",
        "args",
        "action",
        "error_injection",
        "fallback_options",
        "conversation_log",
        "messages",
        "role",
        "content",
        "final_response",
        "resp_schema",
        "arg_schema",
        "items",
    ];

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::Bool),
            any::<i64>().prop_map(|i| json!(i)),
            any::<f64>().prop_map(|x| json!(x)),
            prop::sample::select(vec!["A", "B", "context_used", "user", "assistant", "L5", "답변입니다"])
                .prop_map(|text| json!(text)),
        ];
        leaf.prop_recursive(4, 64, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
                prop::collection::vec((prop::sample::select(KEYS.to_vec()), inner), 0..8).prop_map(
                    |entries| {
                        Value::Object(
                            entries.into_iter().map(|(k, v)| (k.to_owned(), v)).collect::<Map<_, _>>(),
                        )
                    }
                ),
            ]
        })
    }

    proptest! {
        #[test]
        fn no_log_makes_scoring_panic_and_no_report_invents_a_number(
            tasks in prop::collection::vec(any_json(), 1..4),
            level in prop::sample::select(Level::ALL.to_vec()),
            is_judged in any::<bool>(),
        ) {
            let log = LevelLog::read_as(level, &json!({"results": tasks})).unwrap();
            let mut verdicts = Verdicts::none();
            for task in log.tasks.iter().filter(|_| is_judged) {
                for metric in [MetricId::Sr, MetricId::ArgAcc, MetricId::EffScore, MetricId::RefRecall] {
                    verdicts.add(&task.id, Verdict::failed("j", metric, "x"));
                }
            }
            for scorer in [Protocol::Leaderboard, Protocol::Corrected] {
                let options =
                    EvaluationOptions { scorer, metrics: MetricSet::All, ..EvaluationOptions::default() };
                let dataset = Dataset::from_tasks(tasks.clone());
                let report = evaluate(std::slice::from_ref(&log), &dataset, &verdicts, &options);
                for mean in &report.levels[0].means {
                    prop_assert!(mean.figure.value().is_none_or(f64::is_finite), "{mean:?}");
                    prop_assert_eq!(mean.figure.value().is_none(), mean.figure.reason().is_some());
                }
                prop_assert!(serde_json::from_str::<Value>(&to_json(&report)).is_ok());
                // What is kept of it is the same report, bit for bit: equal numbers may be written
                // otherwise.
                let kept = serde_json::to_string(&report).unwrap();
                let read: Report = serde_json::from_str(&kept).unwrap();
                prop_assert_eq!(&serde_json::to_string(&read).unwrap(), &kept);
                prop_assert_eq!(&read, &report);
                let published = EvaluationOptions { metrics: MetricSet::Head, ..options };
                let published = evaluate(std::slice::from_ref(&log), &dataset, &verdicts, &published);
                prop_assert_eq!(&report.with_metrics(MetricSet::Head), &published);
                to_csv(&report);
                to_markdown(&report);
            }
        }
    }
}
