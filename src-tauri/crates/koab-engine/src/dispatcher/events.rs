//! The events of an attempt that is over, made from its record.

use koab_core::event::RunEventKind;
use koab_core::record::AttemptRecord;

/// All of them, as they would have come.
pub fn replayed(record: &AttemptRecord) -> Vec<RunEventKind> {
    let mut kinds = Vec::new();
    for step in &record.steps {
        let calls = || record.calls.iter().filter(|call| call.step == step.step);
        kinds.push(RunEventKind::StepFinished {
            task: record.task.clone(),
            repetition: record.repetition,
            step: step.step,
            calls: calls().count() as u32,
            prompt_tokens: step.usage.map(|usage| usage.prompt_tokens),
            completion_tokens: step.usage.map(|usage| usage.completion_tokens),
            ttft_ms: step.ttft_s.map(|seconds| seconds * 1000.0),
            latency_ms: step.latency_s * 1000.0,
            finish: step.finish.clone(),
        });
        kinds.extend(calls().map(|call| RunEventKind::ToolAnswered {
            task: record.task.clone(),
            repetition: record.repetition,
            step: call.step,
            tool: call.tool.clone(),
            call_id: None,
            ok: call.success,
            source: call.source,
            took_ms: None,
        }));
    }
    kinds.push(finished_event(record));
    kinds
}

pub(super) fn finished_event(record: &AttemptRecord) -> RunEventKind {
    RunEventKind::AttemptFinished {
        task: record.task.clone(),
        level: record.level,
        repetition: record.repetition,
        success: record.success,
        stop: record.stop,
        cut_off: record.cut_off(),
        steps: record.steps.len() as u32,
        calls: record.calls.len() as u32,
        total_tokens: record.usage().total_tokens,
        took_ms: (record.took_s * 1000.0) as u64,
        error: record.error.clone(),
    }
}
