//! Metrics of calls: `EPR_CVR` (all levels), and the L1 metrics about the one expected call:
//! `ToolAcc`, `ArgAcc`, `CallEM`, `RespOK`.

use crate::judge::{Inputs, Verdict, scale};
use crate::log::LoggedCall;
use crate::python::{equal, repr, truthy};
use crate::reason::Reason;
use crate::score::task_context::{TaskContext, args_of, tool_of};
use crate::score::value::{Assessment, Score, unanswered};
use serde_json::{Map, Value, json};

/// `EPR_CVR` = valid calls / calls. A call is valid when it succeeded without an error text.
///
/// Without calls the score is 0.0 under the published rules; the task has no score under the
/// corrected rules. The corrected rules also leave out the failures that the task injects and the
/// calls without a cached response, since no model can avoid either.
pub(crate) fn epr_cvr(cx: &TaskContext<'_>) -> Score {
    let calls = counted(cx);
    let valid = calls.iter().filter(|(_, valid)| *valid).count();
    if cx.is_corrected() {
        if cx.calls().is_empty() {
            return Score::unscored(Reason::NoToolCalled {});
        }
        if calls.is_empty() {
            return Score::unscored(Reason::NothingToCount {});
        }
    }
    let share = if calls.is_empty() { 0.0 } else { valid as f64 / calls.len() as f64 };
    Score::scored(share, json!({"total_calls": calls.len(), "valid_calls": valid}))
}

/// Positions of the calls that `EPR_CVR` counts, and whether each is valid.
pub(crate) fn counted(cx: &TaskContext<'_>) -> Vec<(usize, bool)> {
    let injected = cx.task.get("error_injection").get("tool").and_then(Value::as_str);
    let is_counted = |call: &LoggedCall| {
        let is_the_tasks = call.failed() && call.name().is_some_and(|n| injected == Some(n));
        !(cx.is_corrected() && (is_the_tasks || call.not_recorded))
    };
    let calls = cx.calls().iter().enumerate().filter(|(_, call)| is_counted(call));
    calls.map(|(i, call)| (i, call.succeeded() && !truthy(&call.error))).collect()
}

/// `ToolAcc`: 1.0 if the first call with a tool name is to the golden tool, else 0.0.
pub(crate) fn tool_acc(cx: &TaskContext<'_>) -> Score {
    let golden = cx.golden_or_single().iter().find_map(|entry| entry.get("tool")).and_then(Value::as_str);
    let called = cx.calls().iter().find_map(LoggedCall::name);
    let matched = golden.is_some() && golden == called;
    Score::scored(if matched { 1.0 } else { 0.0 }, json!({"matched": matched}))
}

/// `CallEM`: 1.0 if the first call with a tool name has the golden tool and arguments that are
/// equal in Python, else 0.0.
///
/// The corrected rules first fill in the defaults of `arg_schema` on both sides.
pub(crate) fn call_em(cx: &TaskContext<'_>) -> Score {
    let exact = golden_call(cx).is_some_and(|(tool, args)| {
        cx.calls().iter().find(|call| call.name().is_some()).is_some_and(|call| {
            let called = match &call.args {
                Value::Null => Value::Object(Map::new()),
                args => args.clone(),
            };
            call.is_to(tool) && equal(&with_defaults(cx, args), &with_defaults(cx, called))
        })
    });
    Score::scored(if exact { 1.0 } else { 0.0 }, json!({}))
}

/// `RespOK`: 1.0 if the final response is valid under `resp_schema`, else 0.0.
///
/// The only schema in the dataset is `{"type": "string"}`, so the metric shows little more than
/// that there is an answer.
pub(crate) fn resp_ok(cx: &TaskContext<'_>) -> Score {
    let schema = cx.task.get("resp_schema");
    let response = cx.task.get("final_response");
    let ok = schema.is_object()
        && (response.is_string() || response.is_object() || response.is_array())
        && jsonschema::validator_for(schema).is_ok_and(|validator| validator.is_valid(response));
    Score::scored(if ok { 1.0 } else { 0.0 }, json!({}))
}

/// `ArgAcc`: a judge grades how close the arguments of the call are to the golden ones.
///
/// The first call to the golden tool is graded. The score is 0.0 without a judge if either side has
/// no arguments.
pub(crate) fn assess_arg_acc(cx: &TaskContext<'_>) -> Assessment {
    let Some((tool, golden)) = golden_call(cx) else {
        return Assessment::Decided(Score::scored(0.0, json!({"ok": false})));
    };
    let predicted = predicted_args(cx, tool);
    if !truthy(&golden) || !truthy(&predicted) {
        return Assessment::Decided(graded(cx, 0.0));
    }
    Assessment::Ask(Inputs::new([("golden_args", repr(&golden)), ("predicted_args", repr(&predicted))]))
}

/// `ArgAcc` = max(0, (grade − 1) / 4).
pub(crate) fn conclude_arg_acc(cx: &TaskContext<'_>, verdicts: &[&Verdict]) -> Score {
    if verdicts.iter().any(|verdict| cx.is_open(verdict)) {
        return unanswered(verdicts);
    }
    let grades: Vec<i64> = verdicts.iter().map(|verdict| verdict.published().1).collect();
    graded(cx, scale(&grades, cx.panel.aggregate).map_or(0.0, |scale| scale.normalized))
}

/// The score with the precision and recall of the arguments, which the published details also
/// contain.
fn graded(cx: &TaskContext<'_>, score: f64) -> Score {
    let empty = Map::new();
    let (tool, golden) = golden_call(cx).unwrap_or_default();
    let predicted = predicted_args(cx, tool);
    let golden = golden.as_object().unwrap_or(&empty);
    let predicted = predicted.as_object().unwrap_or(&empty);
    let agrees = |key: &String, value: &Value| golden.get(key).is_some_and(|wanted| equal(wanted, value));
    let hits = predicted.iter().filter(|(key, value)| agrees(key, value)).count() as f64;
    let wrong = predicted.len() as f64 - hits;
    let defaults = cx.task.get("arg_schema");
    let missed = golden
        .iter()
        .filter(|(key, wanted)| {
            let value =
                predicted.get(*key).or_else(|| defaults.get(*key).and_then(|schema| schema.get("default")));
            !value.is_some_and(|value| equal(value, wanted))
        })
        .count() as f64;
    let ratio = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    let (precision, recall) = (ratio(hits, hits + wrong), ratio(hits, hits + missed));
    let f1 = ratio(2.0 * precision * recall, precision + recall);
    Score::scored(
        score,
        json!({"ok": true, "precision": precision, "recall": recall, "f1": f1, "llm_judge_score": score}),
    )
}

/// Tool and arguments of the first golden entry; `None` if it has no tool.
fn golden_call<'a>(cx: &TaskContext<'a>) -> Option<(&'a str, Value)> {
    let first = cx.golden_or_single().first()?;
    Some((tool_of(first)?, args_of(first)))
}

/// Position of the call whose arguments are graded: the first call to the golden tool.
pub(crate) fn graded_call(cx: &TaskContext<'_>) -> Option<usize> {
    let (tool, _) = golden_call(cx)?;
    cx.calls().iter().position(|call| call.is_to(tool))
}

fn predicted_args(cx: &TaskContext<'_>, tool: &str) -> Value {
    let args = cx.calls().iter().find(|call| call.is_to(tool)).map(|call| call.args.clone());
    args.unwrap_or_else(|| Value::Object(Map::new()))
}

fn with_defaults(cx: &TaskContext<'_>, mut args: Value) -> Value {
    if !cx.is_corrected() {
        return args;
    }
    if let (Some(args), Some(schema)) = (args.as_object_mut(), cx.task.get("arg_schema").as_object()) {
        for (name, schema) in schema {
            if let (false, Some(default)) = (args.contains_key(name), schema.get("default")) {
                args.insert(name.clone(), default.clone());
            }
        }
    }
    args
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Protocol;
    use crate::score::MetricId;
    use crate::score::testing::{both, grade, score};

    #[test]
    fn no_call_and_injected_failures_count_against_the_published_call_rate_only() {
        let failed = |tool: &str| json!({"tool_name": tool, "success": false, "error": "x"});
        let good = |tool: &str| json!({"tool_name": tool, "success": true});
        for (calls, expected) in [
            (json!([]), [Some(0.0), None]),
            (json!([failed("A")]), [Some(0.0), None]),
            (json!([failed("A"), good("B")]), [Some(0.5), Some(1.0)]),
            (json!([failed("B"), good("B")]), [Some(0.5), Some(0.5)]),
        ] {
            let task = json!({"error_injection": {"tool": "A"}, "tool_calls": calls});
            assert_eq!(both(MetricId::EprCvr, &task), expected, "{calls}");
        }
    }

    #[test]
    fn call_match_is_pythons_and_fills_defaults_when_corrected() {
        let schema = json!({"n": {"default": 10}, "q": {}});
        for (golden, called, expected) in [
            (json!({"q": "a", "n": 1}), json!({"n": 1.0, "q": "a"}), [1.0, 1.0]),
            (json!({"q": "a", "n": 1}), json!({"n": true, "q": "a"}), [1.0, 1.0]),
            (json!({"q": "a", "n": 1}), json!({"n": "1", "q": "a"}), [0.0, 0.0]),
            (json!({"q": "a"}), json!({"q": "a", "n": 10}), [0.0, 1.0]),
            (json!({"q": "a", "n": 10}), json!({"q": "a"}), [0.0, 1.0]),
            (json!({"q": "a"}), json!({"q": "a", "n": 5}), [0.0, 0.0]),
        ] {
            let task = json!({
                "arg_schema": schema, "golden_action": {"tool": "A", "args": golden},
                "tool_calls": [{"tool_name": "A", "arguments": called}, {"tool_name": "B"}],
            });
            assert_eq!(both(MetricId::CallEm, &task), expected.map(Some), "{golden} {called}");
            assert_eq!(both(MetricId::ToolAcc, &task), [Some(1.0); 2]);
        }
        let wrong =
            json!({"golden_action": [{"tool": "A"}], "tool_calls": [{"tool_name": "B"}, {"tool_name": "A"}]});
        assert_eq!(both(MetricId::CallEm, &wrong), [Some(0.0); 2]);
        assert_eq!(both(MetricId::ToolAcc, &wrong), [Some(0.0); 2]);
    }

    #[test]
    fn arguments_are_graded_on_the_first_call_to_the_golden_tool() {
        let task = json!({
            "golden_action": [{"tool": "A", "args": {"q": "a", "n": 1}}],
            "tool_calls": [{"tool_name": "B", "arguments": {"q": "a"}}, {"tool_name": "A", "arguments": {"q": "a"}}],
        });
        let Score::Scored { value, details } =
            score(MetricId::ArgAcc, Protocol::Leaderboard, &task, &[grade("j", MetricId::ArgAcc, 4)])
        else {
            panic!("not scored");
        };
        assert_eq!(value, 0.75);
        assert_eq!(details["precision"], json!(1.0));
        assert_eq!(details["recall"], json!(0.5));
        for (task, expected) in [
            (task, None),
            (json!({"golden_action": [{"tool": "A", "args": {"q": 1}}]}), Some(0.0)),
            (json!({"golden_action": [{"args": {}}]}), Some(0.0)),
        ] {
            assert_eq!(both(MetricId::ArgAcc, &task), [expected; 2], "{task}");
        }
        let failed = [Verdict::failed("j", MetricId::ArgAcc, "x")];
        let task = json!({
            "golden_action": [{"tool": "A", "args": {"q": 1}}],
            "tool_calls": [{"tool_name": "A", "arguments": {"q": 1}}],
        });
        let value = |scorer| score(MetricId::ArgAcc, scorer, &task, &failed).value();
        assert_eq!([value(Protocol::Leaderboard), value(Protocol::Corrected)], [Some(0.0), None]);
    }

    #[test]
    fn a_response_must_fit_its_schema() {
        for (schema, response, expected) in [
            (json!({"type": "string"}), json!("x"), 1.0),
            (json!({"type": "string"}), json!(null), 0.0),
            (json!({"type": "string"}), json!({}), 0.0),
            (json!({}), json!([]), 1.0),
            (json!(null), json!("x"), 0.0),
        ] {
            let task = json!({"resp_schema": schema, "final_response": response});
            assert_eq!(both(MetricId::RespOk, &task), [Some(expected); 2], "{task}");
        }
    }
}
