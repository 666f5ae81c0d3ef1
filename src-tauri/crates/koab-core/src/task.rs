//! A task of the dataset: the original object, with accessors that tolerate irregular data.
//!
//! No field is dropped or filled in, since logs and judge prompts quote the task as it was
//! published (`docs/spec/metrics.md` §1.2). [`parse_level`] reads a level's file; [`check_tools`]
//! compares tasks with a tool catalog.

mod action;
mod check;
mod parse;
mod request;
mod turn;

pub use check::{StatedCall, check_tools, placeholder, stated_calls};
pub use parse::{check_task, parse_level};
pub use request::{RequestTask, TaskRequest};
pub use turn::{Turn, TurnAction};

use crate::level::Level;
use action::arguments;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::LazyLock;

static NO_ITEMS: Value = Value::Array(Vec::new());
static NO_FIELDS: LazyLock<Value> = LazyLock::new(|| Value::Object(Map::new()));

/// One task of the benchmark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Id of the task (`task_id`), such as `L3-004`.
    pub id: String,
    /// Level of the file that contains the task. The task's own `task_level` may be missing or
    /// differ, as in L5-016.
    pub level: Level,
    /// The dataset's object, unchanged.
    pub raw: Map<String, Value>,
}

/// A call of the golden path or a fallback.
///
/// The golden path has the calls that the dataset's authors expect of the model. Fallbacks replace
/// a tool whose failure the task injects (L5).
#[derive(Clone, Debug, PartialEq)]
pub struct GoldenCall {
    /// Tool name.
    pub tool: String,
    /// Arguments as in the dataset; empty without arguments.
    pub args: Map<String, Value>,
    /// Step of a sequence (L3); calls of one step are parallel.
    pub step: Option<i64>,
}

impl GoldenCall {
    /// Whether an argument has a placeholder for the answer of an earlier call. Until the
    /// placeholder is filled, it is unknown whether the call has a cached response.
    pub fn is_open(&self) -> bool {
        self.args.values().any(is_open)
    }
}

fn is_open(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(is_open),
        Value::Object(fields) => fields.values().any(is_open),
        text => placeholder(text).is_some(),
    }
}

impl Task {
    /// Instruction of the user; the first user turn on L6 and L7. Empty when the task has none.
    pub fn instruction(&self) -> &str {
        self.text("instruction").unwrap_or_default()
    }

    /// The task's `task_level`, which may be missing. [`Task::level`] is the level of the file.
    pub fn task_level(&self) -> Option<i64> {
        self.raw.get("task_level").and_then(Value::as_i64)
    }

    /// The task's `task_category`, such as `Single Tool`.
    pub fn category(&self) -> Option<&str> {
        self.text("task_category")
    }

    /// The task's `golden_action`; an empty array if it is missing, as on L7.
    pub fn golden_action(&self) -> &Value {
        self.raw.get("golden_action").unwrap_or(&NO_ITEMS)
    }

    /// The calls in `golden_action`, in order. Entries without a call (`context_used` on L6) are
    /// left out.
    pub fn golden_calls(&self) -> Vec<GoldenCall> {
        calls_in(self.golden_action())
    }

    /// The calls that must have an answer so that a model can follow the golden path.
    ///
    /// They are the calls of the golden path, or of the conversation if there is no path. Calls to
    /// a tool that the task makes fail are left out.
    pub fn path_calls(&self) -> Vec<GoldenCall> {
        let mut calls = self.golden_calls();
        if calls.is_empty() {
            let actions = self.turns().into_iter().flat_map(|turn| turn.actions);
            calls.extend(actions.map(|action| GoldenCall {
                tool: action.tool,
                args: action.args,
                step: None,
            }));
        }
        let injected = self.error_injection().map(|(tool, _)| tool);
        calls.retain(|call| Some(call.tool.as_str()) != injected);
        calls
    }

    /// Tools that a run offers: those of the golden calls, or else those of the conversation's
    /// turns. Each tool is listed once, in the order of first appearance.
    pub fn expected_tools(&self) -> Vec<String> {
        let golden = distinct(self.golden_calls().into_iter().map(|call| call.tool));
        if !golden.is_empty() {
            return golden;
        }
        distinct(self.turns().into_iter().flat_map(|turn| turn.actions).map(|action| action.tool))
    }

    /// The task's `error_injection` as a pair of tool and `error_type`, when the task has both
    /// (L5).
    pub fn error_injection(&self) -> Option<(&str, &str)> {
        let injection = self.raw.get("error_injection")?;
        Some((injection.get("tool")?.as_str()?, injection.get("error_type")?.as_str()?))
    }

    /// The calls in `fallback_options`, in order (L5).
    pub fn fallback_calls(&self) -> Vec<GoldenCall> {
        self.raw.get("fallback_options").map(calls_in).unwrap_or_default()
    }

    /// The tools of the fallbacks, each once, in order.
    pub fn fallback_tools(&self) -> Vec<String> {
        distinct(self.fallback_calls().into_iter().map(|call| call.tool))
    }

    /// The task's `fallback_options`; an empty array if it is missing.
    pub fn fallback_options(&self) -> &Value {
        self.raw.get("fallback_options").unwrap_or(&NO_ITEMS)
    }

    /// The task's `available_tools`, the tools to choose from (L2); empty if the field is missing.
    pub fn available_tools(&self) -> Vec<String> {
        let tools = self.raw.get("available_tools").and_then(Value::as_array).into_iter().flatten();
        tools.filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// The task's `minimum_steps`, which 8 of the 10 published L3 tasks have.
    pub fn minimum_steps(&self) -> Option<i64> {
        self.raw.get("minimum_steps").and_then(Value::as_i64)
    }

    /// The task's `minimum_calls` (L6).
    pub fn minimum_calls(&self) -> Option<i64> {
        self.raw.get("minimum_calls").and_then(Value::as_i64)
    }

    /// The task's `data_flow`; an empty array if it is missing (L3).
    pub fn data_flow(&self) -> &Value {
        self.raw.get("data_flow").unwrap_or(&NO_ITEMS)
    }

    /// The task's `golden_fields`, the paths of the decisive facts in tools' answers; an empty
    /// array if it is missing.
    pub fn golden_fields(&self) -> &Value {
        self.raw.get("golden_fields").unwrap_or(&NO_ITEMS)
    }

    /// The task's `resp_schema`; an empty object if it is missing (L1).
    pub fn resp_schema(&self) -> &Value {
        self.raw.get("resp_schema").unwrap_or(&NO_FIELDS)
    }

    /// The task's `arg_schema`; an empty object if it is missing (L1).
    pub fn arg_schema(&self) -> &Value {
        self.raw.get("arg_schema").unwrap_or(&NO_FIELDS)
    }

    /// The turns of the conversation, in order (L6, L7).
    pub fn turns(&self) -> Vec<Turn> {
        turn::turns(&self.raw)
    }

    /// Number of the last turn that is given to the model before it must answer; `None` without a
    /// conversation.
    ///
    /// That turn is the last turn that tests the context, or else the last long-term test, or else
    /// the last turn of the user.
    pub fn evaluated_turn(&self) -> Option<i64> {
        turn::evaluated(&self.raw)
    }

    fn text(&self, field: &str) -> Option<&str> {
        self.raw.get(field).and_then(Value::as_str)
    }
}

/// The calls in a list of actions, or in a single action.
fn calls_in(actions: &Value) -> Vec<GoldenCall> {
    let entries = match actions {
        Value::Array(entries) => entries.as_slice(),
        bare @ Value::Object(_) => std::slice::from_ref(bare),
        _ => &[],
    };
    let calls = entries.iter().filter_map(|entry| {
        Some(GoldenCall {
            tool: entry.get("tool")?.as_str()?.to_owned(),
            args: arguments(entry),
            step: entry.get("step").and_then(Value::as_i64),
        })
    });
    calls.collect()
}

fn distinct(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut list = Vec::new();
    for name in names {
        if !list.contains(&name) {
            list.push(name);
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn task(level: Level, raw: Value) -> Task {
        let raw = raw.as_object().expect("an object").clone();
        Task { id: "T".to_owned(), level, raw }
    }

    #[test]
    fn a_call_that_waits_for_an_answer_and_one_that_is_made_to_fail_are_told_from_the_others() {
        let task = task(
            Level::L5,
            json!({
                "golden_action": [
                    {"tool": "A", "args": {"q": "1"}},
                    {"tool": "B", "args": {"x": "{places[0].x}"}},
                    {"tool": "C", "args": {"ids": ["1", "{id}"]}},
                    {"tool": "D", "args": {"q": "1"}},
                ],
                "error_injection": {"tool": "D", "error_type": "timeout"},
            }),
        );
        let path: Vec<_> = task.path_calls().into_iter().map(|c| (c.is_open(), c.tool)).collect();
        assert_eq!(path, [(false, "A".into()), (true, "B".into()), (true, "C".into())]);
    }

    #[test]
    fn an_empty_task_answers_every_question() {
        let task = task(Level::L1, json!({}));
        assert_eq!(task.instruction(), "");
        assert_eq!((task.task_level(), task.category(), task.minimum_steps()), (None, None, None));
        assert_eq!(task.golden_action(), &json!([]));
        assert_eq!(
            (task.data_flow(), task.resp_schema(), task.arg_schema()),
            (&json!([]), &json!({}), &json!({}))
        );
        assert!(
            task.golden_calls().is_empty() && task.expected_tools().is_empty() && task.turns().is_empty()
        );
        assert_eq!((task.error_injection(), task.evaluated_turn()), (None, None));
    }

    #[test]
    fn expected_tools_are_distinct_and_in_order() {
        let golden = json!([
            {"step": 1, "tool": "b", "args": {"x": 1}}, {"action": "context_used"},
            {"step": 2, "tool": "a"}, {"step": 2, "tool": "b", "args": {}}
        ]);
        let first = task(Level::L3, json!({"golden_action": golden}));
        assert_eq!(first.expected_tools(), ["b", "a"]);
        let steps: Vec<_> = first.golden_calls().iter().map(|call| call.step).collect();
        assert_eq!(steps, [Some(1), Some(2), Some(2)]);
        let turns = json!([
            {"role": "assistant", "action": {"tool": "c", "args": {}}},
            {"role": "assistant", "actions": [{"tool": "d"}, {"tool": "c"}]}
        ]);
        let by_turns = task(Level::L7, json!({"conversation_tracking": {"turns": turns}}));
        assert_eq!(by_turns.expected_tools(), ["c", "d"]);
    }

    #[test]
    fn a_bare_golden_action_counts_as_a_list_of_one() {
        let task = task(Level::L1, json!({"golden_action": {"tool": "a", "args": {"q": "가"}}}));
        assert_eq!(task.golden_calls()[0].args, *json!({"q": "가"}).as_object().expect("an object"));
    }

    #[test]
    fn injection_and_fallbacks_are_read() {
        let task = task(
            Level::L5,
            json!({
                "error_injection": {"tool": "a", "error_type": "timeout"},
                "fallback_options": [{"tool": "b", "args": {"q": 1}}, {"tool": "b", "args": {}}, {"tool": "c"}]
            }),
        );
        assert_eq!(task.error_injection(), Some(("a", "timeout")));
        assert_eq!(task.fallback_tools(), ["b", "c"]);
        assert_eq!(task.fallback_calls().len(), 3);
    }
}
