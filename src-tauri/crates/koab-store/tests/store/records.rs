//! Attempts of a small run, and the lines that a journal or a worker's file has of them.

use koab_core::level::Level;
use koab_core::run_record::{
    AttemptRecord, JournalLine, RunFormat, RunSpec, StepLine, StepRecord, StepReply, StopReason, TokenUsage,
};
use serde_json::json;

/// An attempt of one step that took so long.
pub(crate) fn attempt(task: &str, repetition: u32, stop: StopReason, took_s: f64) -> AttemptRecord {
    let usage = TokenUsage { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
    AttemptRecord {
        task: task.to_owned(),
        level: Level::L1,
        repetition,
        success: stop == StopReason::Answered,
        stop,
        error: stop.is_technical().then(|| "the server is down".into()),
        took_s,
        steps: vec![StepRecord {
            step: 1,
            phase: 1,
            ttft_s: None,
            latency_s: took_s / 2.0,
            usage: Some(usage),
            finish: Some("stop".to_owned()),
            left_out: None,
            written: None,
        }],
        calls: Vec::new(),
        final_response: Some(format!("{took_s} 초")),
        messages: vec![json!({"role": "user", "content": "가"})],
        agent: None,
    }
}

/// The step of such an attempt.
pub(crate) fn step(record: &AttemptRecord) -> JournalLine {
    JournalLine::Step(Box::new(StepLine {
        task: record.task.clone(),
        repetition: record.repetition,
        step: record.steps[0].clone(),
        content: record.final_response.clone().unwrap_or_default(),
        calls: Vec::new(),
        reply: Some(StepReply { calls: Vec::new(), opaque: None }),
    }))
}

/// The beginning of a start.
pub(crate) fn start(at_ms: u64) -> JournalLine {
    JournalLine::Run {
        format: RunFormat::CURRENT,
        at_ms,
        spec: Box::new(RunSpec::published("r", "pack@1", "a/b")),
    }
}
