//! Evidence for a score: the calls that a metric used, and whether they count for or against the
//! score.
//!
//! The metric's own functions compute the evidence, which is shown in addition to the metric's
//! details. Metrics that read only texts (SR, pass@k, `RespOK`, the grades of L7) use no call.

use super::MetricId;
use super::effect::{CallEvidence, Effect};
use super::metrics::{call, coverage, fallback, reuse};
use super::task_context::{TaskContext, tool_of};
use serde_json::Value;

/// The calls that a metric used, in order.
pub fn evidence(metric: MetricId, cx: &TaskContext<'_>) -> Vec<CallEvidence> {
    let first_named = || cx.calls().iter().position(|call| call.name().is_some());
    let one = |call: Option<usize>, effect: Effect| match call {
        Some(call) => vec![CallEvidence { call, effect }],
        None => Vec::new(),
    };
    match metric {
        MetricId::EprCvr => weighed(call::counted(cx)),
        MetricId::ToolAcc => one(first_named(), passed(call::tool_acc(cx).value())),
        MetricId::CallEm => one(first_named(), passed(call::call_em(cx).value())),
        MetricId::SelectAcc => one(first_named(), passed(super::metrics::selection::select_acc(cx).value())),
        MetricId::ArgAcc => one(call::graded_call(cx), Effect::Seen),
        MetricId::Fsm => weighed(cx.calls().iter().enumerate().map(|(i, call)| {
            let golden = cx.golden().get(i).map(|entry| entry.get("tool").unwrap_or(&Value::Null));
            (i, golden == Some(&call.tool))
        })),
        MetricId::Psm => {
            let tools: Vec<&str> = cx.golden().iter().filter_map(tool_of).collect();
            let counts = |i: &usize| {
                let call = &cx.calls()[*i];
                let first = !cx.calls()[..*i].iter().any(|earlier| earlier.tool == call.tool);
                first && call.name().is_some_and(|name| tools.contains(&name))
            };
            weighed((0..cx.calls().len()).filter(counts).map(|i| (i, true)))
        }
        MetricId::DeltaStepsNorm => within(cx, super::metrics::sequence::least_steps(cx)),
        MetricId::Coverage | MetricId::SourceEpr => weighed(coverage::weighed(cx)),
        MetricId::AdaptiveRoutingScore | MetricId::FallbackSr => fallback::looked_at(metric, cx),
        MetricId::ReuseRate | MetricId::RedundantCallRate => {
            weighed(reuse::repeats(cx).into_iter().map(|i| (i, false)))
        }
        MetricId::EffScore => within(cx, reuse::least_calls(cx).as_f64()),
        MetricId::Sr
        | MetricId::PassAtK
        | MetricId::RespOk
        | MetricId::ProvAcc
        | MetricId::ContextRetention
        | MetricId::RefRecall
        | MetricId::Rrr => Vec::new(),
    }
}

fn passed(value: Option<f64>) -> Effect {
    if value == Some(1.0) { Effect::For } else { Effect::Against }
}

fn weighed(calls: impl IntoIterator<Item = (usize, bool)>) -> Vec<CallEvidence> {
    let evidence = calls
        .into_iter()
        .map(|(call, good)| CallEvidence { call, effect: if good { Effect::For } else { Effect::Against } });
    evidence.collect()
}

/// Evidence of a metric with a minimum number of calls: calls up to this number count for the
/// score, later calls count against it.
fn within(cx: &TaskContext<'_>, least: Option<f64>) -> Vec<CallEvidence> {
    let Some(least) = least else { return Vec::new() };
    weighed((0..cx.calls().len()).map(|i| (i, (i as f64) < least)))
}
