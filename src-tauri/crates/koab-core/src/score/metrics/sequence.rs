//! Metrics of the golden path (L3): FSM, PSM and `ΔSteps_norm`; [`provenance`] has `ProvAcc`.

mod provenance;

pub(crate) use provenance::prov_acc;

use crate::python::{naive_sum, round_to, type_name};
use crate::reason::Reason;
use crate::score::Score;
use crate::score::task_context::{TaskContext, tool_of};
use serde_json::{Value, json};

/// FSM: 1.0 if there are as many calls as golden entries and their tools are the same in order,
/// else 0.0.
///
/// Arguments, success and step numbers do not matter.
pub(crate) fn fsm(cx: &TaskContext<'_>) -> Score {
    let (golden, calls) = (cx.golden(), cx.calls());
    if golden.len() != calls.len() {
        return Score::scored(
            0.0,
            json!({"golden_steps": golden.len(), "actual_steps": calls.len(), "reason": "단계 수 불일치"}),
        );
    }
    let expected: Vec<&Value> =
        golden.iter().map(|entry| entry.get("tool").unwrap_or(&Value::Null)).collect();
    let called: Vec<&Value> = calls.iter().map(|call| &call.tool).collect();
    let matched = expected == called;
    Score::scored(
        if matched { 1.0 } else { 0.0 },
        json!({"golden_sequence": expected, "actual_sequence": called, "match": matched}),
    )
}

/// PSM = weight of golden entries whose tool was called / weight of all entries.
///
/// An entry without a stated weight weighs 1.0. Order, repeats and success do not matter.
pub(crate) fn psm(cx: &TaskContext<'_>) -> Score {
    let golden = cx.golden();
    if golden.is_empty() {
        return Score::scored(0.0, json!({"reason": "no golden action"}));
    }
    let weight = |entry: &&Value| entry.get("weight").and_then(Value::as_f64).unwrap_or(1.0);
    let tool = |entry: &&Value| entry.get("tool").cloned().unwrap_or_default();
    let (matched, missing): (Vec<&Value>, Vec<&Value>) = golden
        .iter()
        .partition(|entry| tool_of(entry).is_some_and(|tool| cx.calls().iter().any(|c| c.is_to(tool))));
    let total = naive_sum(golden.iter().map(|entry| weight(&entry)));
    let matched_weight = naive_sum(matched.iter().map(weight));
    Score::scored(
        if total > 0.0 { matched_weight / total } else { 0.0 },
        json!({
            "matched_weight": matched_weight,
            "total_weight": total,
            "matched_tools": matched.iter().map(tool).collect::<Vec<_>>(),
            "missing_tools": missing.iter().map(tool).collect::<Vec<_>>(),
        }),
    )
}

/// `ΔSteps_norm`: the number of calls compared with the minimum number of steps m.
///
/// Published: with d = (calls − m)/m, the score is max(0, 1 − d) if d ≥ 0, else 0.0; m is
/// `minimum_steps` or the length of the path. Corrected: the documented formula min(1, m/calls),
/// and 0.0 without calls. There m is at least the number of golden calls, so that the golden path
/// itself always scores 1.0.
pub(crate) fn delta_steps_norm(cx: &TaskContext<'_>) -> Score {
    let call_count = cx.calls().len();
    let minimum_steps = cx.task.get("minimum_steps");
    if cx.is_corrected() {
        let path = cx.golden().iter().filter(|entry| tool_of(entry).is_some()).count() as f64;
        let minimum = minimum_steps.as_f64().unwrap_or(0.0).max(path);
        if minimum <= 0.0 {
            return Score::unscored(Reason::NoLeastSteps {});
        }
        let score = if call_count == 0 { 0.0 } else { f64::min(1.0, minimum / call_count as f64) };
        return Score::scored(score, json!({"minimum_steps": minimum, "actual_steps": call_count}));
    }
    let base = match minimum_steps {
        Value::Null => json!(cx.golden().len().max(1)),
        Value::Bool(flag) => json!(u8::from(*flag)),
        other => other.clone(),
    };
    let Some(minimum) = base.as_f64() else {
        let kind = type_name(&base);
        return Score::Errored {
            error: format!("'<=' not supported between instances of '{kind}' and 'int'"),
        };
    };
    if minimum <= 0.0 {
        return Score::scored(0.0, json!({"reason": "minimum steps is not positive"}));
    }
    let delta = (call_count as f64 - minimum) / minimum;
    let score = if delta >= 0.0 { f64::max(0.0, 1.0 - delta) } else { 0.0 };
    let extra = match base.as_i64() {
        Some(minimum) => json!(call_count as i64 - minimum),
        None => json!(call_count as f64 - minimum),
    };
    Score::scored(
        score,
        json!({"minimum_steps": base, "actual_steps": call_count, "delta_norm": round_to(delta, 4), "extra_steps": extra}),
    )
}

/// Minimum number of steps for `ΔSteps_norm`; `None` if there is no such number.
pub(crate) fn least_steps(cx: &TaskContext<'_>) -> Option<f64> {
    match delta_steps_norm(cx) {
        Score::Scored { details, .. } => details.get("minimum_steps")?.as_f64(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::score::MetricId;
    use crate::score::testing::both;
    use serde_json::{Value, json};

    fn path(tools: &[&str]) -> Value {
        tools.iter().map(|tool| json!({"tool": tool})).collect()
    }

    fn calls(tools: &[&str]) -> Value {
        tools.iter().map(|tool| json!({"tool_name": tool, "success": true})).collect()
    }

    #[test]
    fn the_full_match_wants_the_same_tools_in_the_same_order() {
        for (golden, made, full, part) in [
            (&["A", "B"][..], &["A", "B"][..], 1.0, 1.0),
            (&["A", "B"], &["B", "A"], 0.0, 1.0),
            (&["A", "B"], &["A", "B", "B"], 0.0, 1.0),
            (&["A", "A", "B"], &["A"], 0.0, 2.0 / 3.0),
            (&["A"], &[], 0.0, 0.0),
            (&[], &[], 1.0, 0.0),
        ] {
            let task = json!({"golden_action": path(golden), "tool_calls": calls(made)});
            assert_eq!(both(MetricId::Fsm, &task), [Some(full); 2], "{golden:?} {made:?}");
            assert_eq!(both(MetricId::Psm, &task), [Some(part); 2], "{golden:?} {made:?}");
        }
    }

    #[test]
    fn fewer_calls_than_needed_score_nothing_as_published_and_fully_as_documented() {
        for (minimum, made, expected) in [
            (json!(2), 2, [Some(1.0), Some(1.0)]),
            (json!(2), 3, [Some(0.5), Some(2.0 / 3.0)]),
            (json!(2), 4, [Some(0.0), Some(0.5)]),
            (json!(2), 1, [Some(0.0), Some(1.0)]),
            (json!(2), 0, [Some(0.0), Some(0.0)]),
            (json!(null), 2, [Some(1.0), Some(1.0)]),
            // The golden path of two calls is never longer than the minimum.
            (json!(1), 2, [Some(0.0), Some(1.0)]),
        ] {
            let task = json!({
                "minimum_steps": minimum, "golden_action": path(&["A", "B"]), "tool_calls": calls(&vec!["A"; made]),
            });
            assert_eq!(both(MetricId::DeltaStepsNorm, &task), expected, "{minimum} {made}");
        }
        let nothing = json!({"minimum_steps": 0, "tool_calls": calls(&["A"])});
        assert_eq!(both(MetricId::DeltaStepsNorm, &nothing), [Some(0.0), None]);
    }
}
