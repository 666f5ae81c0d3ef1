//! Calls that failed or returned nothing.

use crate::atlas::case::Case;
use crate::atlas::cause::Cause;
use crate::atlas::finding::Finding;
use koab_core::log::LoggedCall;
use koab_core::python::truthy;
use koab_core::score::MetricId::{self, Coverage, EprCvr, FallbackSr, SourceEpr, Sr};
use koab_core::score::{Effect, evidence};
use serde_json::Value;

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let injected = case.injected();
    let has_result = case.calls().iter().any(|call| call.succeeded() && !is_empty(call));
    for (place, call) in case.calls().iter().enumerate() {
        let fails = call.failed() || !call.succeeded();
        if fails && injected.is_some_and(|tool| call.is_to(tool)) {
            continue;
        }
        let mut metrics = vec![EprCvr, Coverage, SourceEpr, FallbackSr];
        // If another call returned something, the answer need not have suffered.
        if !has_result {
            metrics.push(Sr);
        }
        if fails {
            findings.push(failed(case, place, call, &metrics));
        }
    }
    findings.extend(empty(case, has_result));
    findings
}

/// Finding for a failed call, from the flags of the log and the error texts of the tools.
fn failed(case: &Case<'_>, place: usize, call: &LoggedCall, metrics: &[MetricId]) -> Finding {
    let error = call.error.as_str().unwrap_or_default();
    let raw = case.task().list("tool_calls").get(place);
    let unreadable = raw.and_then(|call| call.get("unreadable_arguments")).and_then(Value::as_str);
    let (cause, argument) = cause_of(error, call.not_recorded, unreadable.is_some());
    let mut finding = Finding::new(cause, metrics).at(place, call).quote(error);
    if let Some(argument) = argument {
        finding = finding.argument(argument).found(call.args.get(argument));
    }
    if let Some(text) = unreadable {
        finding = finding.found(text);
    }
    finding
}

/// Error texts of JSON parsers: Python's, and that of this product.
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

/// Cause of a failed call, and the argument that its error mentions.
fn cause_of(error: &str, not_recorded: bool, unreadable: bool) -> (Cause, Option<&str>) {
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
        let argument = error.split('\'').nth(1);
        return (Cause::ArgumentRefused, argument);
    }
    (Cause::ToolFailed, None)
}

/// Findings for calls without a result.
///
/// Such calls count as empty for the coverage metrics. If SR was lost, calls are also found in an
/// attempt whose calls all returned nothing.
fn empty(case: &Case<'_>, has_result: bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    let against = |metric: MetricId| {
        let seen_by = evidence(metric, &case.attempt.cx);
        seen_by.into_iter().filter(|one| one.effect == Effect::Against).map(|one| one.call)
    };
    let against_coverage: Vec<usize> = against(Coverage).collect();
    for (place, call) in case.calls().iter().enumerate() {
        if !call.succeeded() || !is_empty(call) {
            continue;
        }
        let mut metrics = Vec::new();
        if against_coverage.contains(&place) {
            metrics.extend([Coverage, SourceEpr]);
        }
        if !has_result {
            metrics.push(Sr);
        }
        findings.push(Finding::new(Cause::ToolEmpty, &metrics).at(place, call).found(&call.result));
    }
    findings
}

/// Whether a result contains nothing: it is empty, is an error, or has only empty lists.
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
