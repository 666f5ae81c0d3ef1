//! Conversion of an entry of a published log to an attempt record, as far as the log has the data.

use crate::event::AnswerSource;
use crate::level::Level;
use crate::log::LoggedTask;
use crate::run_record::{AttemptRecord, CallRecord, StepRecord, StopReason};
use crate::sentence::Sentence;
use crate::tool::FaultOwner;
use serde_json::Value;

/// Attempt record of a logged task.
///
/// A log has no times and tokens of single turns. The values for its steps are therefore
/// placeholders (0 seconds, no tokens) and must not be shown; only `took_s` comes from the log.
/// `phase_steps` is the maximum number of steps of a phase.
pub fn from_log(level: Level, task: &LoggedTask, phase_steps: u32) -> AttemptRecord {
    let injected = task.get("error_injection").get("tool").and_then(Value::as_str);
    let calls: Vec<CallRecord> = task
        .calls
        .iter()
        .map(|call| {
            let failed = call.failed();
            let injects = failed && injected.is_some_and(|tool| call.is_to(tool));
            let (source, owner) = match () {
                () if injects => (AnswerSource::Injected, Some(FaultOwner::Task)),
                () if call.not_recorded => (AnswerSource::Miss, Some(FaultOwner::Pack)),
                () if failed => (AnswerSource::Refused, Some(FaultOwner::Model)),
                () => (AnswerSource::Hit, None),
            };
            CallRecord {
                step: call.step.as_u64().unwrap_or(0) as u32,
                tool: call.name().unwrap_or_default().to_owned(),
                arguments: call.args.clone(),
                unreadable_arguments: None,
                success: call.succeeded(),
                error: call.error.as_str().map(str::to_owned),
                owner,
                source,
                result: (!call.result.is_null()).then(|| readable(&call.result)),
            }
        })
        .collect();
    let steps = task.get("steps_taken").as_u64().unwrap_or(0) as u32;
    let mut phase = 1;
    let steps = (1..=steps)
        .map(|step| {
            let before = step - 1;
            let is_answered = before > 0 && !calls.iter().any(|call| call.step == before);
            // The published protocol begins again also where an answer was empty.
            if !level.is_multi_turn() && (is_answered || before >= phase_steps) {
                phase = 2;
            }
            StepRecord {
                step,
                phase,
                ttft_s: None,
                latency_s: 0.0,
                usage: None,
                finish: None,
                left_out: None,
                written: None,
            }
        })
        .collect();
    let error = task.get("error").as_str().filter(|text| !text.is_empty());
    let success = task.get("success") == &Value::Bool(true);
    AttemptRecord {
        task: task.id.clone(),
        level,
        repetition: 1,
        success,
        stop: match error {
            None => StopReason::Answered,
            Some(_) if success => StopReason::Answered,
            Some(_) => StopReason::ModelFailed,
        },
        error: error.map(Sentence::from),
        took_s: task.get("execution_time").as_f64().unwrap_or(0.0),
        steps,
        calls,
        final_response: task.get("final_response").as_str().map(str::to_owned),
        messages: task.messages().iter().map(message).collect(),
        agent: None,
    }
}

/// Parses the content of a tool's message, which is the text of JSON in a log.
fn message(message: &Value) -> Value {
    let mut message = message.clone();
    if message["role"] == "tool" {
        message["content"] = readable(&message["content"]);
    }
    message
}

fn readable(value: &Value) -> Value {
    match value {
        Value::String(text) if text.starts_with(['{', '[']) => {
            serde_json::from_str(text).unwrap_or_else(|_| value.clone())
        }
        other => other.clone(),
    }
}
