//! Calls compared with the golden path: missing, wrong, too few, too many, repeated, or in another
//! order.

use crate::atlas::case::Case;
use crate::atlas::cause::Cause;
use crate::atlas::finding::Finding;
use crate::atlas::rules::answer;
use koab_core::level::Level;
use koab_core::score::MetricId::{
    self, AdaptiveRoutingScore, ArgAcc, CallEm, Coverage, DeltaStepsNorm, EffScore, EprCvr, FallbackSr, Fsm,
    Psm, RedundantCallRate, SelectAcc, SourceEpr, Sr, ToolAcc,
};
use koab_core::score::{CallPlace, Effect, GoldenEntry, evidence};

/// Metrics that lose points if there is no call.
const OF_CALLING: [MetricId; 14] = [
    EprCvr,
    ToolAcc,
    ArgAcc,
    CallEm,
    SelectAcc,
    Fsm,
    Psm,
    DeltaStepsNorm,
    Coverage,
    SourceEpr,
    AdaptiveRoutingScore,
    FallbackSr,
    EffScore,
    Sr,
];

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    let Some(first) = case.wanted().next() else {
        return repeats(case);
    };
    if case.calls().is_empty() {
        let tool = first.tool.as_deref().unwrap_or_default();
        let all: Vec<&str> = case.wanted().filter_map(|entry| entry.tool.as_deref()).collect();
        let answer = case.answer();
        let finding = match answer::question(&answer) {
            Some(asked) => Finding::new(Cause::AskedWithoutCall, &OF_CALLING).quote(asked),
            None => Finding::new(Cause::NoCall, &OF_CALLING),
        };
        return vec![finding.tool(tool).expected(all.join(" → "))];
    }
    let mut findings = Vec::new();
    match case.attempt.cx.level {
        Level::L1 | Level::L2 => findings.extend(first_tool(case, first)),
        Level::L3 | Level::L4 => findings.extend(walked(case)),
        _ => {}
    }
    findings.extend(repeats(case));
    findings
}

/// Finding for a wrong first call. L1 and L2 only consider the first call.
fn first_tool(case: &Case<'_>, golden: &GoldenEntry) -> Option<Finding> {
    let place = case.calls().iter().position(|call| call.name().is_some())?;
    let call = &case.calls()[place];
    let tool = golden.tool.as_deref()?;
    (!call.is_to(tool)).then(|| {
        Finding::new(Cause::WrongTool, &[ToolAcc, ArgAcc, CallEm, SelectAcc, Sr])
            .at(place, call)
            .expected(tool)
            .found(&call.tool)
    })
}

/// Findings for golden entries without a call and for calls without a golden entry (L3, L4).
fn walked(case: &Case<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let calls = case.calls();
    let in_path = |tool: &str| case.matching.golden.iter().any(|entry| entry.tool.as_deref() == Some(tool));
    for entry in case.wanted().filter(|entry| entry.call.is_none()) {
        let Some(tool) = entry.tool.as_deref() else {
            continue;
        };
        let mut metrics = vec![Fsm, Sr];
        if calls.len() < case.wanted().count() {
            metrics.push(DeltaStepsNorm);
        }
        if !calls.iter().any(|call| call.is_to(tool)) {
            metrics.extend([Psm, Coverage, SourceEpr]);
        }
        let mut finding = Finding::new(Cause::MissingCall, &metrics).tool(tool).expected(&entry.args);
        finding.step = entry.step.and_then(|step| u32::try_from(step).ok());
        findings.push(finding);
    }
    for (place, (call, matched)) in calls.iter().zip(&case.matching.calls).enumerate() {
        let cause = match matched.place {
            CallPlace::OutOfOrder => Cause::WrongOrder,
            CallPlace::Extra if !call.name().is_some_and(in_path) => Cause::WrongTool,
            CallPlace::Extra => Cause::ExtraCall,
            _ => continue,
        };
        let metrics: &[MetricId] = if cause == Cause::WrongOrder { &[Fsm] } else { &[Fsm, DeltaStepsNorm] };
        findings.push(Finding::new(cause, metrics).at(place, call).found(&call.args));
    }
    findings
}

/// Findings for repeated calls, including calls that `RedundantCallRate` counts, and for calls
/// above the minimum number.
fn repeats(case: &Case<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let against = |metric: MetricId| -> Vec<usize> {
        let of = evidence(metric, &case.attempt.cx).into_iter();
        of.filter(|one| one.effect == Effect::Against).map(|one| one.call).collect()
    };
    let redundant = against(RedundantCallRate);
    let many = if *case.attempt.cx.level == Level::L6 { against(EffScore) } else { Vec::new() };
    for (place, (call, matched)) in case.calls().iter().zip(&case.matching.calls).enumerate() {
        let is_redundant = redundant.contains(&place) && *case.attempt.cx.level == Level::L6;
        if matched.place == CallPlace::Repeat || is_redundant {
            let mut metrics = vec![Fsm, DeltaStepsNorm, EffScore];
            if is_redundant {
                metrics.push(RedundantCallRate);
            }
            findings.push(Finding::new(Cause::RedundantCall, &metrics).at(place, call).found(&call.args));
        } else if many.contains(&place) {
            findings.push(Finding::new(Cause::ExtraCall, &[EffScore]).at(place, call).found(&call.args));
        }
    }
    findings
}
