//! Field names of an action in a golden path, a fallback or a turn.

use serde_json::{Map, Value};

pub(super) fn arguments(action: &Value) -> Map<String, Value> {
    action.get("args").and_then(Value::as_object).cloned().unwrap_or_default()
}
