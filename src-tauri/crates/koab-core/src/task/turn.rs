//! The conversation of a multi-turn task: its turns, the calls in them, and the turn that is
//! tested.

use super::action::arguments;
use serde_json::{Map, Value};

/// One turn of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// The turn's `turn_number`, or else its 1-based position.
    pub number: i64,
    /// Role of the speaker, `user` or `assistant`; empty when it is missing.
    pub role: String,
    /// Text of the turn.
    pub content: String,
    /// Tool calls of the turn, in order. A turn that only refers to earlier turns (`context_used`)
    /// has no calls.
    pub actions: Vec<TurnAction>,
}

/// A tool call inside a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnAction {
    /// Tool name.
    pub tool: String,
    /// Arguments; empty without arguments.
    pub args: Map<String, Value>,
    /// Answer of the tool, if the dataset has it.
    pub result: Option<Value>,
}

pub(super) fn turns(raw: &Map<String, Value>) -> Vec<Turn> {
    let Some(turns) = tracking(raw, "turns") else {
        return Vec::new();
    };
    let text =
        |turn: &Value, field: &str| turn.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
    let turns = turns.iter().enumerate().map(|(i, turn)| Turn {
        number: number(turn, i),
        role: text(turn, "role"),
        content: text(turn, "content"),
        actions: ["action", "actions"].iter().filter_map(|field| turn.get(field)).flat_map(actions).collect(),
    });
    turns.collect()
}

pub(super) fn evaluated(raw: &Map<String, Value>) -> Option<i64> {
    let context = raw.get("conversation_tracking").and_then(|tracking| tracking.get("evaluation_context"));
    let tests = context.and_then(|context| context.get("context_tests")).and_then(Value::as_array);
    let long_term = raw.get("long_term_tests").and_then(Value::as_array);
    last(tests, "turn").or_else(|| last(long_term, "test_turn")).or_else(|| {
        let turns = tracking(raw, "turns")?.iter().enumerate();
        let users = turns.filter(|(_, turn)| turn.get("role").and_then(Value::as_str) == Some("user"));
        users.map(|(i, turn)| number(turn, i)).next_back()
    })
}

fn last(tests: Option<&Vec<Value>>, field: &str) -> Option<i64> {
    tests?.iter().filter_map(|test| test.get(field).and_then(Value::as_i64)).max()
}

fn tracking<'a>(raw: &'a Map<String, Value>, field: &str) -> Option<&'a Vec<Value>> {
    raw.get("conversation_tracking")?.get(field)?.as_array()
}

fn number(turn: &Value, index: usize) -> i64 {
    turn.get("turn_number").and_then(Value::as_i64).unwrap_or(index as i64 + 1)
}

/// Tool calls in a value: an object with a tool, an object that only refers to earlier turns, or an
/// array of these.
fn actions(stated: &Value) -> Vec<TurnAction> {
    match stated {
        Value::Array(entries) => entries.iter().flat_map(actions).collect(),
        entry => {
            let Some(tool) = entry.get("tool").and_then(Value::as_str) else {
                return Vec::new();
            };
            let (tool, args) = (tool.to_owned(), arguments(entry));
            vec![TurnAction { tool, args, result: entry.get("result").cloned() }]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().expect("an object").clone()
    }

    #[test]
    fn every_form_of_action_is_read() {
        let raw = object(json!({"conversation_tracking": {"turns": [
            {"turn_number": 1, "role": "user", "content": "가"},
            {"turn_number": 2, "role": "assistant", "content": "나", "action": {"tool": "a", "args": {"x": 1}, "result": []}},
            {"role": "assistant", "action": {"context_used": [{"source_turn": 2}]}},
            {"role": "assistant", "action": [{"tool": "b"}, {"context_used": []}], "actions": [{"tool": "c"}]}
        ]}}));
        let read: Vec<_> = turns(&raw)
            .into_iter()
            .map(|turn| {
                (turn.number, turn.actions.into_iter().map(|a| (a.tool, a.result)).collect::<Vec<_>>())
            })
            .collect();
        let named = |tool: &str| (tool.to_owned(), None);
        assert_eq!(read[1], (2, vec![("a".to_owned(), Some(json!([])))]));
        assert_eq!(read[2], (3, vec![]));
        assert_eq!(read[3], (4, vec![named("b"), named("c")]));
    }

    #[test]
    fn the_evaluated_turn_falls_back_in_order() {
        let turns = json!([
            {"turn_number": 1, "role": "user"}, {"turn_number": 2, "role": "assistant"}, {"turn_number": 7, "role": "user"}
        ]);
        let tests = json!({"context_tests": [{"turn": 3}, {"turn": 5}, {"turn": "x"}]});
        let long = json!([{"test_turn": 4}, {"test_turn": 2}]);
        for (raw, turn) in [
            (
                json!({"conversation_tracking": {"turns": turns, "evaluation_context": tests}, "long_term_tests": long}),
                Some(5),
            ),
            (json!({"conversation_tracking": {"turns": turns}, "long_term_tests": long}), Some(4)),
            (json!({"conversation_tracking": {"turns": turns}, "long_term_tests": []}), Some(7)),
            (json!({"conversation_tracking": {"turns": []}}), None),
        ] {
            assert_eq!(evaluated(&object(raw.clone())), turn, "{raw}");
        }
    }
}
