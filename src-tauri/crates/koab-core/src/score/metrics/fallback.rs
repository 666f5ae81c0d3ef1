//! Metrics of an injected failure (L5): `AdaptiveRoutingScore` and `FallbackSR`.

use crate::log::LoggedCall;
use crate::python::truthy;
use crate::reason::Reason;
use crate::score::effect::{CallEvidence, Effect};
use crate::score::task_context::TaskContext;
use crate::score::{MetricId, Score};
use serde_json::{Value, json};

/// `AdaptiveRoutingScore` = 1 / (1 + gap). The gap is the number of steps between the injected
/// failure and the next fallback call.
///
/// The score is 0.0 without a failure or without a fallback call after it. A run in the published
/// form cannot exceed 0.5, since the fallback tools are offered only in a second conversation
/// (`docs/spec/metrics.md` §11, 21).
pub(crate) fn adaptive_routing_score(cx: &TaskContext<'_>) -> Score {
    let Some(injected) = injected_tool(cx) else {
        return if cx.is_corrected() {
            Score::unscored(Reason::NoInjection {})
        } else {
            Score::NotApplicable { details: json!({"reason": "No error injection"}) }
        };
    };
    let calls = cx.calls();
    if calls.is_empty() {
        return zero("No tool calls recorded", injected, None);
    }
    let Some(failure) = calls.iter().position(|call| call.is_to(injected) && call.failed()) else {
        return zero("Injected tool did not fail", injected, None);
    };
    let fallbacks = cx.fallback_tools();
    let Some(offset) = calls[failure + 1..].iter().position(|call| is_fallback(cx, injected, call)) else {
        return zero("No fallback attempt after failure", injected, Some(&calls[failure].step));
    };
    let fallback = failure + 1 + offset;
    let (from, to) = match (whole(&calls[failure].step), whole(&calls[fallback].step)) {
        (Some(from), Some(to)) => (from, to),
        _ => (failure as i64, fallback as i64),
    };
    let gap = to.saturating_sub(from).saturating_sub(1).max(0);
    Score::scored(
        1.0 / (1.0 + gap as f64),
        json!({
            "failure_step": calls[failure].step,
            "fallback_step": calls[fallback].step,
            "fallback_tool": calls[fallback].tool,
            "step_gap": gap,
            "injected_tool": injected,
            "fallback_candidates": if fallbacks.is_empty() { Value::Null } else { json!(fallbacks) },
        }),
    )
}

fn zero(reason: &str, injected: &str, failure_step: Option<&Value>) -> Score {
    let details = match failure_step {
        None => json!({"reason": reason, "injected_tool": injected}),
        Some(step) => json!({"reason": reason, "failure_step": step, "injected_tool": injected}),
    };
    Score::scored(0.0, details)
}

/// `FallbackSR` = successful fallback calls / fallback calls, if the injected tool failed; else
/// 0.0.
pub(crate) fn fallback_sr(cx: &TaskContext<'_>) -> Score {
    if !truthy(cx.task.get("error_injection")) {
        return if cx.is_corrected() {
            Score::unscored(Reason::NoInjection {})
        } else {
            Score::scored(0.0, json!({"reason": "No error injection"}))
        };
    }
    let fallbacks = cx.fallback_tools();
    if fallbacks.is_empty() {
        return Score::NotApplicable { details: json!({"reason": "No fallback options"}) };
    }
    let injected = injected_tool(cx).unwrap_or_default();
    let (mut failed, mut attempts, mut successes) = (false, 0_usize, 0_usize);
    for call in cx.calls() {
        if call.is_to(injected) {
            failed |= call.failed();
        } else if call.name().is_some_and(|name| fallbacks.contains(&name)) {
            attempts += 1;
            if call.success == Value::Bool(true) && !truthy(&call.error) {
                successes += 1;
            }
        }
    }
    if !failed {
        return Score::scored(0.0, json!({"reason": "Injected tool did not fail"}));
    }
    if attempts == 0 {
        return Score::scored(0.0, json!({"reason": "No fallback attempts"}));
    }
    Score::scored(
        successes as f64 / attempts as f64,
        json!({
            "injected_tool": injected,
            "injected_tool_failed": true,
            "fallback_attempts": attempts,
            "fallback_successes": successes,
            "fallback_tools": fallbacks,
        }),
    )
}

/// The calls that decide a metric of the injected failure, with their effects.
///
/// `AdaptiveRoutingScore` uses the first injected failure and the next fallback call. `FallbackSR`
/// uses all injected failures and all fallback calls.
pub(crate) fn looked_at(metric: MetricId, cx: &TaskContext<'_>) -> Vec<CallEvidence> {
    let Some(injected) = injected_tool(cx) else {
        return Vec::new();
    };
    let calls = cx.calls();
    let neutral = |call: usize| CallEvidence { call, effect: Effect::Seen };
    if metric == MetricId::AdaptiveRoutingScore {
        let failure = calls.iter().position(|call| call.is_to(injected) && call.failed());
        let fallback = failure.and_then(|failure| {
            let after = calls.iter().enumerate().skip(failure + 1);
            after.into_iter().find(|(_, call)| is_fallback(cx, injected, call)).map(|(i, _)| i)
        });
        return failure
            .map(neutral)
            .into_iter()
            .chain(fallback.map(|call| CallEvidence { call, effect: Effect::For }))
            .collect();
    }
    let fallbacks = cx.fallback_tools();
    let decide = calls.iter().enumerate().filter_map(|(i, call)| {
        if call.is_to(injected) {
            return call.failed().then(|| neutral(i));
        }
        call.name().filter(|name| fallbacks.contains(name))?;
        let good = call.success == Value::Bool(true) && !truthy(&call.error);
        Some(CallEvidence { call: i, effect: if good { Effect::For } else { Effect::Against } })
    });
    decide.collect()
}

/// Whether a call is to a fallback tool. If the task has no fallback tools, every tool except the
/// failing one counts.
fn is_fallback(cx: &TaskContext<'_>, injected: &str, call: &LoggedCall) -> bool {
    let fallbacks = cx.fallback_tools();
    call.name().is_some_and(
        |name| {
            if fallbacks.is_empty() { name != injected } else { fallbacks.contains(&name) }
        },
    )
}

fn injected_tool<'a>(cx: &TaskContext<'a>) -> Option<&'a str> {
    cx.task.get("error_injection").get("tool").and_then(Value::as_str).filter(|tool| !tool.is_empty())
}

/// Python's `int(step)`; `None` if Python would raise an error.
fn whole(step: &Value) -> Option<i64> {
    match step {
        Value::Bool(flag) => Some(i64::from(*flag)),
        Value::Number(number) => number.as_i64().or_else(|| number.as_f64().map(|x| x.trunc() as i64)),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::score::MetricId;
    use crate::score::testing::both;
    use serde_json::{Value, json};

    fn task(options: &[&str], calls: &[(&str, bool, Value)]) -> Value {
        let options: Vec<Value> = options.iter().map(|tool| json!({"tool": tool})).collect();
        let calls: Vec<Value> = calls
            .iter()
            .map(|(tool, success, step)| json!({"tool_name": tool, "success": success, "step": step}))
            .collect();
        json!({"error_injection": {"tool": "A"}, "fallback_options": options, "tool_calls": calls})
    }

    #[test]
    fn the_gap_between_failure_and_fallback_decides() {
        let fail = |step: i64| ("A", false, json!(step));
        let back = |success: bool, step: i64| ("B", success, json!(step));
        for (calls, routing, success) in [
            (vec![fail(1), back(true, 2)], 1.0, 1.0),
            (vec![fail(1), back(true, 3)], 0.5, 1.0),
            (vec![fail(1), back(false, 1), back(true, 2)], 1.0, 0.5),
            (vec![fail(1), fail(2)], 0.0, 0.0),
            (vec![back(true, 1), fail(2)], 0.0, 1.0),
            (vec![back(true, 1)], 0.0, 0.0),
            (vec![], 0.0, 0.0),
        ] {
            let task = task(&["B"], &calls);
            assert_eq!(both(MetricId::AdaptiveRoutingScore, &task), [Some(routing); 2], "{task}");
            assert_eq!(both(MetricId::FallbackSr, &task), [Some(success); 2], "{task}");
        }
    }

    #[test]
    fn without_named_fallbacks_any_other_tool_is_one_and_there_is_no_success_rate() {
        let task = task(&[], &[("A", false, json!("x")), ("C", true, json!(9))]);
        assert_eq!(both(MetricId::AdaptiveRoutingScore, &task), [Some(1.0); 2]);
        assert_eq!(both(MetricId::FallbackSr, &task), [None; 2]);
    }

    #[test]
    fn without_an_injection_nothing_is_scored_but_the_published_success_rate() {
        let task =
            json!({"fallback_options": [{"tool": "B"}], "tool_calls": [{"tool_name": "B", "success": true}]});
        assert_eq!(both(MetricId::AdaptiveRoutingScore, &task), [None; 2]);
        assert_eq!(both(MetricId::FallbackSr, &task), [Some(0.0), None]);
    }
}
