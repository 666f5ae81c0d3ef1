//! Calls against the golden path: none, others, too few, too many, again, in another order.

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

/// What not a single call costs.
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

pub(super) fn find(seen: &Case<'_>) -> Vec<Finding> {
    let Some(first) = seen.wanted().next() else {
        return repeats(seen);
    };
    if seen.calls().is_empty() {
        let named = first.tool.as_deref().unwrap_or_default();
        let all: Vec<&str> = seen.wanted().filter_map(|entry| entry.tool.as_deref()).collect();
        let answer = seen.answer();
        let finding = match answer::question(&answer) {
            Some(asked) => Finding::new(Cause::AskedWithoutCall, &OF_CALLING).quote(asked),
            None => Finding::new(Cause::NoCall, &OF_CALLING),
        };
        return vec![finding.tool(named).expected(all.join(" → "))];
    }
    let mut found = Vec::new();
    match seen.attempt.cx.level {
        Level::L1 | Level::L2 => found.extend(first_tool(seen, first)),
        Level::L3 | Level::L4 => found.extend(walked(seen)),
        _ => {}
    }
    found.extend(repeats(seen));
    found
}

/// L1 and L2 go by the first call alone.
fn first_tool(seen: &Case<'_>, golden: &GoldenEntry) -> Option<Finding> {
    let place = seen.calls().iter().position(|call| call.name().is_some())?;
    let call = &seen.calls()[place];
    let wanted = golden.tool.as_deref()?;
    (!call.is_to(wanted)).then(|| {
        Finding::new(Cause::WrongTool, &[ToolAcc, ArgAcc, CallEm, SelectAcc, Sr])
            .at(place, call)
            .expected(wanted)
            .found(&call.tool)
    })
}

/// L3 and L4: entries without a call, calls without an entry.
fn walked(seen: &Case<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    let calls = seen.calls();
    let in_path = |tool: &str| seen.matching.golden.iter().any(|entry| entry.tool.as_deref() == Some(tool));
    for entry in seen.wanted().filter(|entry| entry.call.is_none()) {
        let Some(tool) = entry.tool.as_deref() else {
            continue;
        };
        let mut metrics = vec![Fsm, Sr];
        if calls.len() < seen.wanted().count() {
            metrics.push(DeltaStepsNorm);
        }
        if !calls.iter().any(|call| call.is_to(tool)) {
            metrics.extend([Psm, Coverage, SourceEpr]);
        }
        let mut finding = Finding::new(Cause::MissingCall, &metrics).tool(tool).expected(&entry.args);
        finding.step = entry.step.and_then(|step| u32::try_from(step).ok());
        found.push(finding);
    }
    for (place, (call, matched)) in calls.iter().zip(&seen.matching.calls).enumerate() {
        let cause = match matched.place {
            CallPlace::OutOfOrder => Cause::WrongOrder,
            CallPlace::Extra if !call.name().is_some_and(in_path) => Cause::WrongTool,
            CallPlace::Extra => Cause::ExtraCall,
            _ => continue,
        };
        let metrics: &[MetricId] = if cause == Cause::WrongOrder { &[Fsm] } else { &[Fsm, DeltaStepsNorm] };
        found.push(Finding::new(cause, metrics).at(place, call).found(&call.args));
    }
    found
}

/// Calls that were made before, those that `RedundantCallRate` counts among them, and those beyond
/// the least number.
fn repeats(seen: &Case<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    let against = |metric: MetricId| -> Vec<usize> {
        let of = evidence(metric, &seen.attempt.cx).into_iter();
        of.filter(|one| one.effect == Effect::Against).map(|one| one.call).collect()
    };
    let redundant = against(RedundantCallRate);
    let many = if seen.attempt.cx.level == Level::L6 { against(EffScore) } else { Vec::new() };
    for (place, (call, matched)) in seen.calls().iter().zip(&seen.matching.calls).enumerate() {
        let counted = redundant.contains(&place) && seen.attempt.cx.level == Level::L6;
        if matched.place == CallPlace::Repeat || counted {
            let mut metrics = vec![Fsm, DeltaStepsNorm, EffScore];
            if counted {
                metrics.push(RedundantCallRate);
            }
            found.push(Finding::new(Cause::RedundantCall, &metrics).at(place, call).found(&call.args));
        } else if many.contains(&place) {
            found.push(Finding::new(Cause::ExtraCall, &[EffScore]).at(place, call).found(&call.args));
        }
    }
    found
}
