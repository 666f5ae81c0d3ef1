//! Calls that failed or found nothing.

use crate::atlas::case::Case;
use crate::atlas::cause::Cause;
use crate::atlas::finding::Finding;
use koab_core::log::LoggedCall;
use koab_core::python::truthy;
use koab_core::score::MetricId::{self, Coverage, EprCvr, FallbackSr, SourceEpr, Sr};
use koab_core::score::{Effect, evidence};
use serde_json::Value;

pub(super) fn find(seen: &Case<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    let injected = seen.injected();
    let answered = seen.calls().iter().any(|call| call.succeeded() && !is_empty(call));
    for (place, call) in seen.calls().iter().enumerate() {
        let fails = call.failed() || !call.succeeded();
        if fails && injected.is_some_and(|tool| call.is_to(tool)) {
            continue;
        }
        let mut metrics = vec![EprCvr, Coverage, SourceEpr, FallbackSr];
        // With another call that answered, the answer need not have suffered.
        if !answered {
            metrics.push(Sr);
        }
        if fails {
            found.push(failed(seen, place, call, &metrics));
        }
    }
    found.extend(empty(seen, answered));
    found
}

/// Why a call failed, by what the log marks and by the words of the tools' own errors.
fn failed(seen: &Case<'_>, place: usize, call: &LoggedCall, metrics: &[MetricId]) -> Finding {
    let error = call.error.as_str().unwrap_or_default();
    let raw = seen.task().list("tool_calls").get(place);
    let unreadable = raw.and_then(|call| call.get("unreadable_arguments")).and_then(Value::as_str);
    let (cause, argument) = sorted(error, call.not_recorded, unreadable.is_some());
    let mut finding = Finding::new(cause, metrics).at(place, call).quote(error);
    if let Some(argument) = argument {
        finding = finding.argument(argument).found(call.args.get(argument));
    }
    if let Some(text) = unreadable {
        finding = finding.found(text);
    }
    finding
}

/// Errors that a JSON reader gives, Python's and ours.
const NO_JSON: [&str; 8] = [
    "not valid JSON",
    "must be a JSON object",
    "Invalid control character",
    "Expecting value",
    "Expecting ',' delimiter",
    "Expecting property name",
    "Unterminated string",
    "Extra data",
];

/// The cause of a failed call, and the argument that its error names.
fn sorted(error: &str, not_recorded: bool, unreadable: bool) -> (Cause, Option<&str>) {
    if not_recorded {
        return (Cause::CacheMiss, None);
    }
    if unreadable || NO_JSON.iter().any(|words| error.contains(words)) {
        return (Cause::BadJson, None);
    }
    if error.contains("there is no tool named") || error.to_lowercase().contains("unknown tool") {
        return (Cause::UnknownTool, None);
    }
    if error.to_lowercase().contains("invalid input") {
        let named = error.split('\'').nth(1);
        return (Cause::ArgumentRefused, named);
    }
    (Cause::ToolFailed, None)
}

/// Calls that the coverage metrics count as having found nothing, and, where SR was lost, attempts
/// all of whose calls did.
fn empty(seen: &Case<'_>, answered: bool) -> Vec<Finding> {
    let mut found = Vec::new();
    let against = |metric: MetricId| {
        let seen_by = evidence(metric, &seen.attempt.cx);
        seen_by.into_iter().filter(|one| one.effect == Effect::Against).map(|one| one.call)
    };
    let counted: Vec<usize> = against(Coverage).collect();
    for (place, call) in seen.calls().iter().enumerate() {
        if !call.succeeded() || !is_empty(call) {
            continue;
        }
        let mut metrics = Vec::new();
        if counted.contains(&place) {
            metrics.extend([Coverage, SourceEpr]);
        }
        if !answered {
            metrics.push(Sr);
        }
        found.push(Finding::new(Cause::ToolEmpty, &metrics).at(place, call).found(&call.result));
    }
    found
}

/// A result that holds nothing: empty, an error, or lists without an entry.
fn is_empty(call: &LoggedCall) -> bool {
    let Value::Object(map) = &call.result else {
        return !truthy(&call.result);
    };
    if map.is_empty() || map.get("error").is_some_and(truthy) {
        return true;
    }
    let lists = ["items", "item", "places", "documents", "features", "results"];
    let mut present = lists.iter().filter_map(|key| map.get(*key)).peekable();
    present.peek().is_some() && present.all(|list| !truthy(list))
}
