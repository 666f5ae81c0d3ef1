//! Metrics of sources (L4): `Coverage` and `SourceEPR`.

use crate::log::LoggedCall;
use crate::python::{naive_sum, round_to, truthy, type_name};
use crate::score::Score;
use crate::score::task_context::{TaskContext, distinct, tool_of};
use serde_json::{Map, Value, json};

/// Keys that show the published code whether a result contains anything.
const LIST_KEYS: [&str; 3] = ["items", "places", "total_count"];

/// `Coverage` = required tools with a call that found something / required tools. Each tool counts
/// once.
pub(crate) fn coverage(cx: &TaskContext<'_>) -> Score {
    let required = required(cx);
    let mut covered = Vec::new();
    for tool in &required {
        match counting(cx, tool) {
            Ok((_, 0)) => {}
            Ok(_) => covered.push(*tool),
            Err(error) => return Score::Errored { error },
        }
    }
    let missing: Vec<&str> = required.iter().copied().filter(|tool| !covered.contains(tool)).collect();
    let share = if required.is_empty() { 1.0 } else { covered.len() as f64 / required.len() as f64 };
    Score::scored(
        share,
        json!({
            "required_tools": required,
            "covered_tools": covered,
            "missing_tools": missing,
            "total_required": required.len(),
            "total_covered": covered.len(),
        }),
    )
}

/// `SourceEPR`: mean over the required tools of (calls that found something / calls). A tool that
/// was not called counts 0.
pub(crate) fn source_epr(cx: &TaskContext<'_>) -> Score {
    let required = required(cx);
    let mut sources = Map::new();
    let mut shares = Vec::new();
    for tool in &required {
        let (calls, valid) = match counting(cx, tool) {
            Ok(counts) => counts,
            Err(error) => return Score::Errored { error },
        };
        let share = if calls == 0 { 0.0 } else { valid as f64 / calls as f64 };
        let mut source = json!({"epr": round_to(share, 4), "total_calls": calls, "valid_calls": valid});
        if calls == 0 {
            source["reason"] = json!("도구 미호출");
        }
        sources.insert((*tool).to_owned(), source);
        shares.push(share);
    }
    let average =
        if shares.is_empty() { 1.0 } else { naive_sum(shares.iter().copied()) / shares.len() as f64 };
    Score::scored(
        average,
        json!({"source_eprs": sources, "average_epr": round_to(average, 4), "total_sources": required.len()}),
    )
}

/// Distinct tools of the golden path in the order of their first appearance. In the published code
/// the order is arbitrary.
fn required<'a>(cx: &TaskContext<'a>) -> Vec<&'a str> {
    distinct(cx.golden().iter().filter_map(tool_of))
}

/// Number of calls to a tool, and number of those that found something.
///
/// # Errors
/// The error that the published code raises.
fn counting(cx: &TaskContext<'_>, tool: &str) -> Result<(usize, usize), String> {
    let calls: Vec<&LoggedCall> = cx.calls().iter().filter(|call| call.is_to(tool)).collect();
    let mut valid = 0;
    for call in &calls {
        if call.succeeded() && found_something(cx, &call.result)? {
            valid += 1;
        }
    }
    Ok((calls.len(), valid))
}

/// Positions of the calls to required tools, and whether each call found something. A result at
/// which the published code raises an error counts as empty.
pub(crate) fn weighed(cx: &TaskContext<'_>) -> Vec<(usize, bool)> {
    let required = required(cx);
    let calls = cx.calls().iter().enumerate();
    let required_calls = calls.filter(|(_, call)| call.name().is_some_and(|name| required.contains(&name)));
    required_calls
        .map(|(i, call)| {
            let has_content = found_something(cx, &call.result).unwrap_or(false);
            (i, call.succeeded() && has_content)
        })
        .collect()
}

/// Required tools whose results have a form that the rules cannot count, so that no model can cover
/// these tools.
pub fn uncountable<'a>(cx: &TaskContext<'a>) -> Vec<&'a str> {
    let is_uncountable = |call: &LoggedCall| {
        let is_object = call.result.as_object().is_some_and(|map| {
            !map.is_empty()
                && !map.contains_key("error")
                && !LIST_KEYS.iter().any(|key| map.contains_key(*key))
        });
        call.succeeded() && is_object
    };
    let mut tools = required(cx);
    tools.retain(|tool| {
        let mut calls = cx.calls().iter().filter(|call| call.is_to(tool));
        matches!(counting(cx, tool), Ok((_, 0))) && calls.any(is_uncountable)
    });
    tools
}

/// Whether a result found something.
///
/// The published rules look only at `items`, `places` and `total_count` of an object; any other
/// value counts if it is not empty. The corrected rules also count an object without these keys if
/// it is not empty, such as a price or a route.
fn found_something(cx: &TaskContext<'_>, result: &Value) -> Result<bool, String> {
    let Value::Object(map) = result else {
        return Ok(truthy(result));
    };
    if cx.is_corrected() && !LIST_KEYS.iter().any(|key| map.contains_key(*key)) {
        return Ok(!map.is_empty());
    }
    if ["items", "places"].iter().any(|key| map.get(*key).is_some_and(truthy)) {
        return Ok(true);
    }
    match map.get("total_count") {
        None => Ok(false),
        Some(Value::Bool(flag)) => Ok(*flag),
        Some(Value::Number(count)) => Ok(count.as_f64().is_some_and(|count| count > 0.0)),
        Some(other) => {
            Err(format!("'>' not supported between instances of '{}' and 'int'", type_name(other)))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::score::MetricId;
    use crate::score::testing::both;
    use serde_json::{Value, json};

    fn task(results: &[(&str, bool, Value)]) -> Value {
        let calls: Vec<Value> = results
            .iter()
            .map(|(tool, success, result)| json!({"tool_name": tool, "success": success, "result": result}))
            .collect();
        json!({"golden_action": [{"tool": "A"}, {"tool": "B"}, {"tool": "A"}], "tool_calls": calls})
    }

    #[test]
    fn a_source_counts_when_it_found_something() {
        for (result, expected) in [
            (json!({"items": [1]}), [Some(0.5), Some(0.5)]),
            (json!({"items": [], "places": [1]}), [Some(0.5), Some(0.5)]),
            (json!({"items": [], "total_count": 3}), [Some(0.5), Some(0.5)]),
            (json!({"items": []}), [Some(0.0), Some(0.0)]),
            // A stock price has none of the known keys.
            (json!({"price": 70000}), [Some(0.0), Some(0.5)]),
            (json!([1]), [Some(0.5), Some(0.5)]),
            (json!({"total_count": "3"}), [Some(0.0), None]),
        ] {
            let task = task(&[("A", true, result.clone()), ("B", false, json!({"items": [1]}))]);
            assert_eq!(both(MetricId::Coverage, &task), expected, "{result}");
        }
    }

    #[test]
    fn source_shares_are_averaged_over_the_required_tools() {
        let found = json!({"items": [1]});
        let results = [("A", true, found.clone()), ("A", false, found.clone()), ("C", true, found)];
        assert_eq!(both(MetricId::SourceEpr, &task(&results)), [Some(0.25); 2]);
        assert_eq!(both(MetricId::SourceEpr, &json!({"golden_action": []})), [Some(1.0); 2]);
    }
}
