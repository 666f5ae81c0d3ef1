//! Rules about the model's reaction to the injected failure (L5).

use crate::atlas::case::Case;
use crate::atlas::cause::Cause;
use crate::atlas::finding::Finding;
use koab_core::level::Level;
use koab_core::log::LoggedCall;
use koab_core::protocol::Protocol;
use koab_core::score::MetricId::{self, AdaptiveRoutingScore, EprCvr, FallbackSr, Sr};

const OF_FALLBACK: [MetricId; 3] = [AdaptiveRoutingScore, FallbackSr, Sr];

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    let Some(injected) = case.injected().filter(|_| *case.attempt.cx.level == Level::L5) else {
        return Vec::new();
    };
    let calls = case.calls();
    let fallbacks: Vec<&str> = case
        .task()
        .list("fallback_options")
        .iter()
        .filter_map(|option| option.get("tool")?.as_str())
        .collect();
    let fallback_names = || fallbacks.join(", ");
    let is_fallback = |call: &LoggedCall| call.name().is_some_and(|name| fallbacks.contains(&name));
    let failure = calls.iter().position(|call| call.is_to(injected) && call.failed());
    let Some(failure) = failure else {
        // Without any call the path rules already have a finding.
        let Some(first) = calls.first() else {
            return Vec::new();
        };
        return vec![Finding::new(Cause::InjectionUnmet, &OF_FALLBACK).at(0, first).expected(injected)];
    };
    let first = &calls[failure];
    let mut findings = Vec::new();
    let fallback = calls.iter().skip(failure).position(is_fallback).map(|after| failure + after);
    if !calls.iter().any(is_fallback) {
        let error = first.error.as_str().unwrap_or_default();
        let finding = Finding::new(Cause::FallbackUnused, &OF_FALLBACK).at(failure, first);
        findings.push(finding.expected(fallback_names()).quote(error));
    }
    let mut retried = false;
    for (place, call) in calls.iter().enumerate().skip(failure + 1) {
        if !call.is_to(injected) || !call.failed() || call.step == first.step {
            continue;
        }
        let delays = fallback.is_none_or(|fallback| place < fallback);
        retried |= delays;
        let metrics: &[MetricId] = if delays { &[EprCvr, AdaptiveRoutingScore] } else { &[EprCvr] };
        findings
            .push(Finding::new(Cause::RetriedFailure, metrics).at(place, call).expected(fallback_names()));
    }
    // In the published form a closing turn separates the two conversations.
    let least = if case.attempt.protocol == Protocol::Leaderboard { 1 } else { 0 };
    if let Some(fallback) = fallback.filter(|_| !retried) {
        let gap = calls[fallback].step.as_i64().zip(first.step.as_i64()).map(|(to, from)| to - from - 1);
        if let Some(gap) = gap.filter(|gap| *gap > least) {
            let finding =
                Finding::new(Cause::LateFallback, &[AdaptiveRoutingScore]).at(fallback, &calls[fallback]);
            findings.push(finding.expected(least.to_string()).found(gap.to_string()));
        }
    }
    findings
}
