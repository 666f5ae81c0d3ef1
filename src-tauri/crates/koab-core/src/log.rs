//! Reads a published run log: `L<n>.json`, one level of one run (`docs/spec/metrics.md` §1.2).
//!
//! Reading is as tolerant as the published evaluator: every key of a task may be missing, and
//! unknown keys stay in the data. The raw JSON is stored, since the metrics apply Python's
//! truthiness and equality to it. Other modules find logs on the disk and write them.

mod turns;

use crate::level::Level;
use crate::python::truthy;
use crate::reason::Reason;
use crate::sentence::Sentence;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One level of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelLog {
    /// The level of the log, which decides the metrics.
    pub level: Level,
    /// The log's `metadata` object, copied into reports; empty when the file has none.
    pub metadata: Map<String, Value>,
    /// Tasks in file order.
    pub tasks: Vec<LoggedTask>,
    /// Results that cannot be scored; no mean includes them.
    pub skipped: Vec<SkippedTask>,
}

/// One entry of `results`: a task with the model's calls and its final response.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedTask {
    /// `task_id`, or `unknown_{1-based position}`.
    pub id: String,
    /// 0-based position in `results`.
    pub position: usize,
    /// Tool calls in order.
    pub calls: Vec<LoggedCall>,
    /// The entry of `results`, unchanged except that `repetition_results` is null; `ends` has its
    /// content.
    raw: Map<String, Value>,
    /// Truthiness of each item of `repetition_results`. It needs one byte per repetition; as JSON
    /// it would need 72.
    ends: Box<[bool]>,
}

/// Key of the list that shows for each repetition whether it ended with an answer.
const ENDS: &str = "repetition_results";

/// Key that marks a task whose steps are groups of calls that overlapped in time.
///
/// An agent with a model of its own made these calls, and the replies of that model were not
/// recorded.
pub const STEPS_BY_ARRIVAL: &str = "steps_by_arrival";

/// One tool call of a task.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedCall {
    /// 1-based model turn; parallel calls have the same number. The value is raw JSON, since logs
    /// that were written by hand contain texts here.
    pub step: Value,
    /// Tool name; null when missing.
    pub tool: Value,
    /// Arguments, normally an object; `{}` when missing.
    pub args: Value,
    /// Result of the call; null when the call failed or its answer was empty.
    pub result: Value,
    /// Success flag; null when it is missing, which counts neither as success nor as failure.
    pub success: Value,
    /// Error text; null when there was none.
    pub error: Value,
    /// Whether the pack had no cached response for the call. Only logs of this product have this
    /// flag.
    pub not_recorded: bool,
}

/// A result that cannot be read as a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedTask {
    /// `task_id`, or `unknown_{1-based position}`.
    pub id: String,
    /// 0-based position in `results`.
    pub position: usize,
    /// Reason for skipping the result, a sentence fragment.
    pub reason: Sentence,
}

/// Reason why a JSON document is not a run log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
pub enum LogError {
    /// The document is not an object.
    #[error("a run log is a JSON object with `metadata` and `results`, this is {found}")]
    NotAnObject {
        /// JSON type of the document.
        found: &'static str,
    },
    /// A key is missing or has the wrong type.
    #[error("the run log has no `{key}` ({wanted}); is this an L1.json to L7.json of a run?")]
    Missing {
        /// Path of the key, with dots.
        key: &'static str,
        /// Description of the expected value.
        wanted: &'static str,
    },
    /// The metadata names a level that does not exist.
    #[error("`metadata.level` of the run log: {0}")]
    Level(#[from] crate::level::UnknownLevel),
}

impl LevelLog {
    /// Reads a log whose metadata contains the level.
    ///
    /// # Errors
    /// [`LogError`] when the document is not a run log or has no level.
    pub fn read(document: &Value) -> Result<Self, LogError> {
        let level = object(document)?
            .get("metadata")
            .and_then(|metadata| metadata.get("level"))
            .and_then(Value::as_str)
            .ok_or(LogError::Missing { key: "metadata.level", wanted: "a text such as \"L3\"" })?
            .parse()?;
        Self::read_as(level, document)
    }

    /// Reads a log of the given level, which the caller takes from the file name. Metadata may be
    /// missing.
    ///
    /// # Errors
    /// [`LogError`] when the document is not an object or has no list of results.
    pub fn read_as(level: Level, document: &Value) -> Result<Self, LogError> {
        let document = object(document)?;
        let results = document
            .get("results")
            .and_then(Value::as_array)
            .ok_or(LogError::Missing { key: "results", wanted: "a list with one object for each task" })?;
        let metadata = document.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default();
        let mut log = Self { level, metadata, tasks: Vec::new(), skipped: Vec::new() };
        for (position, result) in results.iter().enumerate() {
            match LoggedTask::read(position, result) {
                Ok(task) => log.tasks.push(task),
                Err(skipped) => log.skipped.push(skipped),
            }
        }
        Ok(log)
    }

    /// Number of results in the file, including skipped ones.
    pub fn total(&self) -> usize {
        self.tasks.len() + self.skipped.len()
    }
}

fn object(document: &Value) -> Result<&Map<String, Value>, LogError> {
    document.as_object().ok_or(LogError::NotAnObject { found: json_type(document) })
}

fn json_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

impl LoggedTask {
    /// Reads one entry of `results`; `position` is 0-based.
    ///
    /// # Errors
    /// A [`SkippedTask`] with the reason, if the entry cannot be read.
    pub fn read(position: usize, result: &Value) -> Result<Self, SkippedTask> {
        let id = match result.get("task_id") {
            Some(Value::String(id)) => id.clone(),
            _ => format!("unknown_{}", position + 1),
        };
        let skip = |reason: Reason| SkippedTask { id: id.clone(), position, reason: reason.into() };
        let raw = result
            .as_object()
            .ok_or_else(|| skip(Reason::NoResult { found: json_type(result).to_owned() }))?;
        let calls = match raw.get("tool_calls") {
            None => Vec::new(),
            Some(Value::Array(calls)) => calls
                .iter()
                .enumerate()
                .map(|(i, call)| {
                    LoggedCall::read(call).ok_or_else(|| {
                        skip(Reason::NoCall {
                            number: (i + 1).to_string(),
                            found: json_type(call).to_owned(),
                        })
                    })
                })
                .collect::<Result<_, _>>()?,
            Some(other) => {
                return Err(skip(Reason::NoCallList { found: json_type(other).to_owned() }));
            }
        };
        let value = |key: &str, value: &Value| match key {
            ENDS => Value::Null,
            _ => value.clone(),
        };
        let ends = raw.get(ENDS).and_then(Value::as_array);
        Ok(Self {
            id,
            position,
            calls,
            raw: raw.iter().map(|(key, of_key)| (key.clone(), value(key, of_key))).collect(),
            ends: ends.into_iter().flatten().map(truthy).collect(),
        })
    }

    /// Whether each repetition ended with an answer, as the published evaluator reads it; empty if
    /// the log has no list of repetitions.
    pub fn ends(&self) -> &[bool] {
        &self.ends
    }

    /// The entry of `results` as in the log, except that `repetition_results` is null.
    pub fn entry(&self) -> &Map<String, Value> {
        &self.raw
    }

    /// Value of a key of the task's entry, as in the log; null when the key is missing.
    pub fn get(&self, key: &str) -> &Value {
        self.raw.get(key).unwrap_or(&Value::Null)
    }

    /// Whether the steps are groups of calls that overlapped in time instead of replies of a model.
    pub fn has_steps_by_arrival(&self) -> bool {
        truthy(self.get(STEPS_BY_ARRIVAL))
    }

    /// Value of a key as a list; empty when the value is not a list.
    pub fn list(&self, key: &str) -> &[Value] {
        self.get(key).as_array().map_or(&[], Vec::as_slice)
    }
}

impl LoggedCall {
    fn read(call: &Value) -> Option<Self> {
        let call = call.as_object()?;
        let key = |name: &str| call.get(name).cloned().unwrap_or(Value::Null);
        Some(Self {
            step: key("step"),
            tool: key("tool_name"),
            args: call.get("arguments").cloned().unwrap_or_else(|| Value::Object(Map::new())),
            result: key("result"),
            success: key("success"),
            error: key("error"),
            not_recorded: call.get("not_recorded").is_some_and(truthy),
        })
    }

    /// The tool's name; `None` when it is empty or not a text.
    pub fn name(&self) -> Option<&str> {
        self.tool.as_str().filter(|name| !name.is_empty())
    }

    /// Whether the call is to this tool.
    pub fn is_to(&self, tool: &str) -> bool {
        self.tool.as_str() == Some(tool)
    }

    /// Whether `success` is truthy.
    pub fn succeeded(&self) -> bool {
        truthy(&self.success)
    }

    /// Whether `success` is exactly false (a missing flag is not), or the call has an error text.
    pub fn failed(&self) -> bool {
        self.success == Value::Bool(false) || truthy(&self.error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn documents_that_are_no_log_say_what_is_missing() {
        for (document, message) in [
            (json!([1]), "a run log is a JSON object with `metadata` and `results`, this is a list"),
            (
                json!({"results": []}),
                "the run log has no `metadata.level` (a text such as \"L3\"); is this an L1.json to L7.json of a run?",
            ),
            (
                json!({"metadata": {"level": "L1"}}),
                "the run log has no `results` (a list with one object for each task); is this an L1.json to L7.json of a run?",
            ),
            (
                json!({"metadata": {"level": "L9"}, "results": []}),
                "`metadata.level` of the run log: `L9` is not a level; levels are L1 to L7",
            ),
        ] {
            assert_eq!(LevelLog::read(&document).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn results_that_are_no_tasks_are_skipped_with_the_reason() {
        let log = LevelLog::read_as(
            Level::L2,
            &json!({"results": [
                {"task_id": "L2-001", "tool_calls": null},
                {"tool_calls": [{"tool_name": "A", "success": true}]},
                "text",
                {"task_id": "L2-004", "tool_calls": [1]},
            ]}),
        )
        .unwrap();
        assert_eq!(log.total(), 4);
        assert_eq!(log.tasks[0].id, "unknown_2");
        assert!(log.tasks[0].calls[0].succeeded());
        let reasons: Vec<_> = log.skipped.iter().map(|s| format!("{}: {}", s.id, s.reason)).collect();
        assert_eq!(
            reasons,
            [
                "L2-001: `tool_calls` is null, not a list",
                "unknown_3: the result is a text, not an object",
                "L2-004: tool call 1 is a number, not an object",
            ]
        );
    }
}
