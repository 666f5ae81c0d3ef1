//! `SelectAcc` (L2): the model picked the right tool.

use crate::log::LoggedCall;
use crate::score::{Score, TaskContext};
use serde_json::{Value, json};

/// 1.0 if the first call with a tool name is to the tool of the first golden entry, else 0.0
/// (`docs/spec/metrics.md` §3).
pub(crate) fn select_acc(cx: &TaskContext<'_>) -> Score {
    let golden = cx.golden_or_single().first().and_then(|entry| entry.get("tool")).and_then(Value::as_str);
    let chosen = cx.calls().iter().find_map(LoggedCall::name);
    let success = golden.is_some() && golden == chosen;
    Score::scored(if success { 1.0 } else { 0.0 }, json!({"success": success}))
}

#[cfg(test)]
mod tests {
    use crate::score::MetricId;
    use crate::score::testing::both;
    use serde_json::json;

    #[test]
    fn the_first_named_call_decides() {
        let golden = json!([{"tool": "A"}, {"tool": "B"}]);
        for (calls, expected) in [
            (json!([{"tool_name": "A"}, {"tool_name": "B"}]), 1.0),
            (json!([{"tool_name": "B"}, {"tool_name": "A"}]), 0.0),
            (json!([{"tool_name": ""}, {"tool_name": "A"}]), 1.0),
            (json!([]), 0.0),
        ] {
            let task = json!({"golden_action": golden, "tool_calls": calls});
            assert_eq!(both(MetricId::SelectAcc, &task), [Some(expected); 2], "{calls}");
        }
        assert_eq!(both(MetricId::SelectAcc, &json!({"tool_calls": [{"tool_name": "A"}]})), [Some(0.0); 2]);
    }
}
