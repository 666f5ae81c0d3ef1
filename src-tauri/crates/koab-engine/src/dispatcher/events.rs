//! The event of an ended attempt.

use koab_core::event::RunEventKind;
use koab_core::run_record::AttemptSummary;

pub(super) fn finished_event(ended: &AttemptSummary) -> RunEventKind {
    RunEventKind::AttemptFinished {
        task: ended.task.to_string(),
        level: ended.level.clone(),
        repetition: ended.repetition,
        success: ended.success,
        stop: ended.stop,
        cut_off: ended.cut_off,
        steps: ended.steps,
        calls: ended.calls,
        total_tokens: ended.usage().total_tokens,
        took_ms: (ended.took_s * 1000.0) as u64,
        error: ended.error().cloned(),
    }
}
