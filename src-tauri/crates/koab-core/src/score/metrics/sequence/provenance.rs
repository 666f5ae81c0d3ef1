//! `ProvAcc` (L3): the model passed values on from the right results.
//!
//! `data_flow` refers to golden steps, while the log refers to model turns. The published metric
//! confuses the two, looks up names only at the top of a result, and fails on lists. The corrected
//! metric finds calls by the golden step's tool, and values by path or by a name at any depth.

use crate::log::LoggedCall;
use crate::python::{equal, to_str, truthy, type_name};
use crate::reason::Reason;
use crate::score::task_context::{TaskContext, tool_of};
use crate::score::{Score, path};
use serde_json::{Value, json};

/// `ProvAcc` = valid flows / flows. Without flows the score is 1.0 under the published rules; the
/// task has no score under the corrected rules.
pub(crate) fn prov_acc(cx: &TaskContext<'_>) -> Score {
    let flows = cx.task.list("data_flow");
    if flows.is_empty() {
        return if cx.is_corrected() {
            Score::unscored(Reason::NoDataFlow {})
        } else {
            Score::scored(1.0, json!({"reason": "no data flow", "no_data_flow": true}))
        };
    }
    let mut details = Vec::new();
    for flow in flows {
        let result = if cx.is_corrected() { Ok(corrected(cx, flow)) } else { published(cx, flow) };
        match result {
            Ok(detail) => details.push(detail),
            Err(error) => return Score::Errored { error },
        }
    }
    let valid = details.iter().filter(|detail| detail["is_valid"] == json!(true)).count();
    Score::scored(
        valid as f64 / flows.len() as f64,
        json!({"valid_flows": valid, "total_flows": flows.len(), "flow_details": details}),
    )
}

fn key<'a>(flow: &'a Value, name: &str) -> &'a Value {
    flow.get(name).unwrap_or(&Value::Null)
}

/// Details of a flow: its definition, then the result, in the published order of keys.
fn detail(flow: &Value, actual: Option<&Value>, valid: bool, reason: Option<String>) -> Value {
    let mut detail = json!({
        "to_step": key(flow, "to_step"),
        "to_parameter": key(flow, "to_parameter"),
        "from_step": key(flow, "from_step"),
        "expected_source": key(flow, "from_output"),
    });
    if let Some(actual) = actual {
        detail["actual_value"] = actual.clone();
    }
    detail["is_valid"] = json!(valid);
    if let Some(reason) = reason {
        detail["reason"] = json!(reason);
    }
    detail
}

/// The first call of a turn, when the step is a positive whole number.
fn call_at<'a>(cx: &TaskContext<'a>, step: &Value) -> Option<&'a LoggedCall> {
    step.as_i64().filter(|step| *step > 0)?;
    cx.calls().iter().find(|call| equal(&call.step, step))
}

/// Details of one flow under the published rules.
///
/// # Errors
/// The error that the published code raises.
fn published(cx: &TaskContext<'_>, flow: &Value) -> Result<Value, String> {
    let (to_step, from_step) = (key(flow, "to_step"), key(flow, "from_step"));
    let Some(target) = call_at(cx, to_step) else {
        let reason = format!("step {}을 찾을 수 없음", to_str(to_step));
        return Ok(detail(flow, None, false, Some(reason)));
    };
    let actual = top_level(&target.args, key(flow, "to_parameter"))?;
    let valid = if from_step == &json!("user_input") {
        !actual.is_null()
    } else if let Some(source) = call_at(cx, from_step).filter(|source| source.succeeded()) {
        let expected = top_level(&source.result, key(flow, "from_output"))?;
        !actual.is_null() && !expected.is_null() && to_str(actual) == to_str(expected)
    } else {
        false
    };
    Ok(detail(flow, Some(actual), valid, None))
}

/// Python's `value.get(name)`.
fn top_level<'a>(value: &'a Value, name: &Value) -> Result<&'a Value, String> {
    let map =
        value.as_object().ok_or_else(|| format!("'{}' object has no attribute 'get'", type_name(value)))?;
    Ok(name.as_str().and_then(|name| map.get(name)).unwrap_or(&Value::Null))
}

/// Details of one flow under the corrected rules.
///
/// The flow is valid if a call to the target's tool used the value from the result of an earlier
/// successful call to the source's tool.
fn corrected(cx: &TaskContext<'_>, flow: &Value) -> Value {
    let (to_step, from_step) = (key(flow, "to_step"), key(flow, "from_step"));
    let (parameter, output) = (to_str(key(flow, "to_parameter")), to_str(key(flow, "from_output")));
    let targets = calls_of_step(cx, to_step);
    if targets.is_empty() {
        let reason = format!("no call to the tool of golden step {}", to_str(to_step));
        return detail(flow, None, false, Some(reason));
    }
    let sources = calls_of_step(cx, from_step);
    for (at, target) in &targets {
        let Some(actual) = target.args.get(&parameter).filter(|value| !value.is_null()) else {
            continue;
        };
        let valid = from_step == &json!("user_input")
            || sources
                .iter()
                .filter(|(source_at, source)| source_at < at && source.succeeded())
                .any(|(_, source)| holds(&source.result, &output, actual));
        if valid {
            return detail(flow, Some(actual), true, None);
        }
    }
    detail(flow, targets[0].1.args.get(&parameter).or(Some(&Value::Null)), false, None)
}

/// Calls to the tools of a golden step, with their positions.
fn calls_of_step<'a>(cx: &TaskContext<'a>, step: &Value) -> Vec<(usize, &'a LoggedCall)> {
    let tools: Vec<&str> = cx
        .golden()
        .iter()
        .enumerate()
        .filter(|(i, entry)| entry.get("step").map_or_else(|| *step == json!(i + 1), |own| equal(own, step)))
        .filter_map(|(_, entry)| tool_of(entry))
        .collect();
    cx.calls()
        .iter()
        .enumerate()
        .filter(|(_, call)| call.name().is_some_and(|name| tools.contains(&name)))
        .collect()
}

/// Whether a result contains the value at the path, or under that name at any depth. A number
/// equals its text.
fn holds(result: &Value, output: &str, actual: &Value) -> bool {
    let mut candidates: Vec<&Value> = path::resolve(result, output).into_iter().collect();
    if !output.contains(['.', '[']) {
        path::values_named(result, output, &mut candidates);
    }
    candidates
        .into_iter()
        .any(|value| truthy_text(value) == truthy_text(actual) && truthy_text(value).is_some())
}

/// Text for comparisons: equal values have the same text, and a number has the same text as its
/// string. `None` for null, false, and empty lists and objects.
fn truthy_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(
            text.trim()
                .parse::<f64>()
                .ok()
                .filter(|x| x.is_finite())
                .map_or_else(|| text.clone(), |x| x.to_string()),
        ),
        Value::Number(number) => number.as_f64().map(|x| x.to_string()),
        other => truthy(other).then(|| to_str(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Protocol;
    use crate::score::MetricId;
    use crate::score::testing::{both, score};

    fn task(flow: Value, result: Value, argument: Value) -> Value {
        json!({
            "golden_action": [{"step": 1, "tool": "A"}, {"step": 2, "tool": "B"}],
            "data_flow": [flow],
            "tool_calls": [
                {"step": 1, "tool_name": "A", "arguments": {}, "success": true, "result": result},
                {"step": 2, "tool_name": "B", "arguments": {"x": argument}, "success": true},
            ],
        })
    }

    #[test]
    fn values_are_found_at_the_top_as_published_and_by_path_or_name_when_corrected() {
        let flow =
            |output: &str| json!({"from_step": 1, "from_output": output, "to_step": 2, "to_parameter": "x"});
        for (output, result, argument, expected) in [
            ("lon", json!({"lon": 127.1}), json!("127.1"), [1.0, 1.0]),
            ("lon", json!({"lon": "127.10"}), json!(127.1), [0.0, 1.0]),
            ("lon", json!({"places": [{"lon": 1}, {"lon": 2}]}), json!(2), [0.0, 1.0]),
            ("places[0].name", json!({"places": [{"name": "가"}]}), json!("가"), [0.0, 1.0]),
            ("places[0].name", json!({"places": [{"name": "가"}]}), json!("나"), [0.0, 0.0]),
            ("lon", json!({"lon": 1}), json!(null), [0.0, 0.0]),
        ] {
            let task = task(flow(output), result, argument);
            assert_eq!(both(MetricId::ProvAcc, &task), expected.map(Some), "{task}");
        }
    }

    #[test]
    fn a_list_result_raises_as_published_and_is_searched_when_corrected() {
        let flow = json!({"from_step": 1, "from_output": "market", "to_step": 2, "to_parameter": "x"});
        let task = task(flow, json!([{"market": "KRW-BTC"}]), json!("KRW-BTC"));
        let raised = score(MetricId::ProvAcc, Protocol::Leaderboard, &task, &[]);
        assert_eq!(raised, Score::Errored { error: "'list' object has no attribute 'get'".to_owned() });
        assert_eq!(both(MetricId::ProvAcc, &task), [Some(0.0), Some(1.0)]);
    }

    #[test]
    fn what_the_user_said_only_has_to_be_passed_on() {
        let flow = json!({"from_step": "user_input", "from_output": "x", "to_step": 2, "to_parameter": "x"});
        assert_eq!(both(MetricId::ProvAcc, &task(flow.clone(), json!({}), json!("k"))), [Some(1.0); 2]);
        assert_eq!(both(MetricId::ProvAcc, &task(flow, json!({}), json!(null))), [Some(0.0); 2]);
        assert_eq!(both(MetricId::ProvAcc, &json!({"data_flow": []})), [Some(1.0), None]);
    }
}
