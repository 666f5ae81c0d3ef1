//! Input of a metric: one logged task and the rules that it is scored by.

use super::MetricId;
use crate::judge::{Panel, Verdict, Votes};
use crate::level::Level;
use crate::log::{LoggedCall, LoggedTask};
use crate::protocol::Protocol;
use crate::python::{Dumps, dumps, to_str, truthy};
use serde_json::{Map, Value, json};

/// A task, its level and the rules it is scored by.
#[derive(Clone, Copy, Debug)]
pub struct TaskContext<'a> {
    /// Level of the log file.
    pub level: &'a Level,
    /// The task as logged.
    pub task: &'a LoggedTask,
    /// The task in the dataset, which has fields that the log leaves out (`golden_fields`,
    /// `minimum_calls`).
    pub dataset: Option<&'a Value>,
    /// Rules of the scoring.
    pub scorer: Protocol,
    /// Judges of the scoring.
    pub panel: &'a Panel,
}

/// Text of a tool with its arguments. Equal calls have equal signatures (`docs/spec/metrics.md`
/// §3.1).
pub(super) type Signature = (String, String);

impl<'a> TaskContext<'a> {
    /// Whether the corrected rules apply.
    pub fn is_corrected(&self) -> bool {
        self.scorer == Protocol::Corrected
    }

    /// Whether a verdict counts neither as yes nor as no.
    ///
    /// The published rules count an unusable answer as no. An answer that never arrived is a
    /// technical failure under both rules.
    pub fn is_open(&self, verdict: &Verdict) -> bool {
        verdict.failure().is_some() && (self.is_corrected() || verdict.is_unanswered())
    }

    /// Judges that answer a metric's questions, and their number of votes.
    pub fn votes(&self, metric: MetricId) -> Votes {
        if metric == MetricId::Sr { Votes::FirstJudge(self.panel.votes) } else { Votes::EachJudge }
    }

    pub(super) fn calls(&self) -> &'a [LoggedCall] {
        &self.task.calls
    }

    /// The golden path; empty when it is not a list.
    pub(super) fn golden(&self) -> &'a [Value] {
        self.task.list("golden_action")
    }

    /// The golden path. A single object in place of the list counts as a path of one entry.
    pub(super) fn golden_or_single(&self) -> &'a [Value] {
        match self.task.get("golden_action") {
            object @ Value::Object(_) => std::slice::from_ref(object),
            _ => self.golden(),
        }
    }

    /// Value of a key of the dataset's task; null if it is missing.
    pub(super) fn dataset_key(&self, key: &str) -> &'a Value {
        self.dataset.and_then(|task| task.get(key)).unwrap_or(&Value::Null)
    }

    /// The final response as a text; empty when it is missing. Under the corrected rules an answer
    /// of the dataset counts as missing.
    pub(super) fn response(&self) -> String {
        match self.task.get("final_response") {
            _ if self.has_seeded_answer() => String::new(),
            response if truthy(response) => to_str(response),
            _ => String::new(),
        }
    }

    /// Whether the final response is the dataset's answer under the corrected rules.
    pub(super) fn has_seeded_answer(&self) -> bool {
        self.is_corrected() && self.level.is_multi_turn() && self.task.answer_is_seeded()
    }

    /// The user's message that the final response is judged by.
    ///
    /// The published rules use the first message, which is the logged instruction. The corrected
    /// rules use the last message of a conversation.
    pub(super) fn question(&self) -> String {
        let first = match self.task.get("instruction") {
            Value::Null => String::new(),
            other => to_str(other),
        };
        if self.is_corrected() && self.level.is_multi_turn() {
            self.task.last_question().map_or(first, ToOwned::to_owned)
        } else {
            first
        }
    }

    /// The calls for a judge's prompt: indented JSON of tool, arguments and success, without
    /// results.
    pub(super) fn calls_for_judge(&self) -> String {
        let calls: Vec<Value> = self
            .calls()
            .iter()
            .map(|call| json!({"tool": call.tool, "args": call.args, "success": call.success}))
            .collect();
        dumps(&Value::Array(calls), Dumps { indent: Some(2), ..Dumps::default() })
    }

    /// Distinct fallback tools in order of first appearance.
    pub(super) fn fallback_tools(&self) -> Vec<&'a str> {
        distinct(self.task.list("fallback_options").iter().filter_map(tool_of))
    }
}

/// The `tool` of a golden entry or option; `None` when it is empty or not a text.
pub fn tool_of(entry: &Value) -> Option<&str> {
    entry.get("tool").and_then(Value::as_str).filter(|tool| !tool.is_empty())
}

/// The `args` of a golden entry; `{}` when missing or null.
pub fn args_of(entry: &Value) -> Value {
    match entry.get("args") {
        None | Some(Value::Null) => Value::Object(Map::new()),
        Some(args) => args.clone(),
    }
}

/// Signature of a tool with arguments.
pub(super) fn signature(tool: &str, args: &Value) -> Signature {
    (tool.to_owned(), dumps(args, Dumps { ascii: true, sorted: true, indent: None }))
}

/// Signature of a call.
pub(super) fn call_signature(call: &LoggedCall) -> Signature {
    signature(call.tool.as_str().unwrap_or_default(), &call.args)
}

/// The texts without duplicates, in the order of first appearance.
pub(super) fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut list = Vec::new();
    for text in texts {
        if !list.contains(&text) {
            list.push(text);
        }
    }
    list
}
