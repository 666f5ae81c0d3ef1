//! One attempt as a conversation. The attempt is read from the journal, which is complete, or from
//! a published log, which contains less.
//!
//! Both have the same result. The messages in a log are not marked as the model's own. The last
//! assistant messages are those of the model, one per step; earlier ones are seeded turns. The
//! results of the model's calls are in the order of the calls.

use crate::wire::{
    ArgumentBeside, GoldenCall, Injection, StepTiming, TaskStatus, TranscriptAttempt, TranscriptCall,
    TranscriptTurn,
};
use koab_core::event::AnswerSource;
use koab_core::fork::Speaker;
use koab_core::level::Level;
use koab_core::log::{LoggedCall, LoggedTask};
use koab_core::run_record::{AttemptRecord, CallRecord, StopReason};
use koab_core::score::{CallMatch, Matching};
use koab_core::sentence::Sentence;
use koab_core::tool::FaultOwner;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// An attempt, with the golden path of its task.
pub(super) struct AttemptWithGolden {
    pub(super) attempt: TranscriptAttempt,
    pub(super) golden: Vec<GoldenCall>,
}

/// Returns the status of a task, from the end of its attempt.
pub(crate) fn status_of(success: bool, stop: StopReason) -> TaskStatus {
    match stop {
        _ if success => TaskStatus::Answered,
        StopReason::ModelFailed | StopReason::TimedOut => TaskStatus::Failed,
        StopReason::Answered
        | StopReason::CutOff
        | StopReason::StepLimit
        | StopReason::AgentFailed
        | StopReason::BudgetSpent
        | StopReason::Cancelled => TaskStatus::Unanswered,
    }
}

/// Returns the status of a task in a log. A log does not contain the reason why an attempt ended.
pub(crate) fn status_in_log(task: &LoggedTask) -> TaskStatus {
    if task.get("success") == &Value::Bool(true) {
        TaskStatus::Answered
    } else if task.get("cut_off") == &Value::Bool(true) {
        TaskStatus::Unanswered
    } else if error_in_log(task).is_some() {
        TaskStatus::Failed
    } else {
        TaskStatus::Unanswered
    }
}

pub(crate) fn error_in_log(task: &LoggedTask) -> Option<Sentence> {
    let text = task.get("error").as_str()?;
    (!text.is_empty()).then(|| text.into())
}

/// Returns an attempt from the journal. `fact` returns a field of the task (golden path, injection,
/// schema).
pub(super) fn from_record(record: &AttemptRecord, fact: impl Fn(&str) -> Value) -> AttemptWithGolden {
    let calls: Vec<Value> = record.calls.iter().map(logged).collect();
    let entry = json!({
        "task_id": record.task,
        "golden_action": fact("golden_action"),
        "fallback_options": fact("fallback_options"),
        "error_injection": fact("error_injection"),
        "arg_schema": fact("arg_schema"),
        "steps_taken": record.steps.len(),
        "final_response": record.final_response,
        "tool_calls": calls,
        "conversation_log": {"messages": record.messages},
    });
    let timing = record.steps.iter().map(|step| {
        let timing = StepTiming {
            phase: step.phase,
            ttft_ms: step.ttft_s.map(ms),
            latency_ms: ms(step.latency_s),
            prompt_tokens: step.usage.map(|usage| usage.prompt_tokens),
            completion_tokens: step.usage.map(|usage| usage.completion_tokens),
            finish: step.finish.clone(),
            left_out: step.left_out,
            written: step.written.clone(),
        };
        (step.step, timing)
    });
    let timing: BTreeMap<u32, StepTiming> = timing.collect();
    let reported = record.steps.iter().any(|step| step.usage.is_some());
    let ttft: Vec<f64> = record.steps.iter().filter_map(|step| step.ttft_s).collect();
    let usage = record.usage();
    let attempt = TranscriptAttempt {
        repetition: record.repetition,
        status: status_of(record.success, record.stop),
        success: Some(record.success),
        stop: Some(record.stop),
        error: record.error.clone(),
        took_ms: Some(ms(record.took_s)),
        steps: record.steps.len() as u32,
        prompt_tokens: reported.then_some(usage.prompt_tokens),
        completion_tokens: reported.then_some(usage.completion_tokens),
        ttft_ms: (!ttft.is_empty()).then(|| ms(ttft.iter().sum::<f64>() / ttft.len() as f64)),
        final_response: record.final_response.clone().filter(|text| !text.is_empty()),
        answer_is_seeded: false,
        turns: Vec::new(),
        calls: Vec::new(),
        has_timing: true,
        agent: None,
    };
    let extras: Vec<CallExtras> = record.calls.iter().map(CallExtras::from_record).collect();
    with_golden(&record.level, &entry, attempt, timing, extras)
}

/// Returns an attempt that has not ended and therefore has no outcome.
pub(super) fn from_unfinished(record: &AttemptRecord, fact: impl Fn(&str) -> Value) -> AttemptWithGolden {
    let AttemptWithGolden { attempt, golden } = from_record(record, fact);
    let attempt = TranscriptAttempt {
        status: TaskStatus::Waiting,
        success: None,
        stop: None,
        took_ms: None,
        ..attempt
    };
    AttemptWithGolden { attempt, golden }
}

/// Returns the attempt that a log contains for a task.
pub(super) fn from_log(level: &Level, task: &LoggedTask) -> AttemptWithGolden {
    let number = |pointer: [&str; 2]| task.get(pointer[0]).get(pointer[1]).and_then(Value::as_u64);
    // A log without token counts contains 0 instead of nothing.
    let has_tokens = number(["token_usage", "total_tokens"]).is_some_and(|tokens| tokens > 0);
    let streamed = number(["ttft_stats", "count"]).is_some_and(|turns| turns > 0);
    let ttft = task.get("ttft_stats").get("average").and_then(Value::as_f64);
    let attempt = TranscriptAttempt {
        repetition: 1,
        status: status_in_log(task),
        success: task.get("success").as_bool(),
        stop: None,
        error: error_in_log(task),
        took_ms: task.get("execution_time").as_f64().map(ms),
        steps: task.get("steps_taken").as_u64().unwrap_or(0) as u32,
        prompt_tokens: number(["token_usage", "prompt_tokens"]).filter(|_| has_tokens),
        completion_tokens: number(["token_usage", "completion_tokens"]).filter(|_| has_tokens),
        ttft_ms: ttft.filter(|_| streamed).map(ms),
        final_response: match task.get("final_response") {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        },
        answer_is_seeded: level.is_multi_turn() && task.answer_is_seeded(),
        turns: Vec::new(),
        calls: Vec::new(),
        has_timing: false,
        agent: None,
    };
    let injected = task.get("error_injection").get("tool").and_then(Value::as_str);
    let extras = task.calls.iter().map(|call| CallExtras::from_log(call, injected)).collect();
    compared(level, task, attempt, BTreeMap::new(), extras)
}

/// Facts about a call that only the journal or only the log contains.
struct CallExtras {
    unreadable: Option<String>,
    owner: Option<FaultOwner>,
    source: Option<AnswerSource>,
}

impl CallExtras {
    fn from_record(call: &CallRecord) -> Self {
        Self { unreadable: call.unreadable_arguments.clone(), owner: call.owner, source: Some(call.source) }
    }

    /// Infers facts about a call from the log.
    ///
    /// A failure of the tool whose failure the task injects is attributed to the task, because
    /// every run injects the failure first. A call with the mark of a cache miss is attributed to
    /// the pack.
    fn from_log(call: &LoggedCall, injected: Option<&str>) -> Self {
        let injected = call.failed() && injected.is_some_and(|tool| call.is_to(tool));
        let (owner, source) = if injected {
            (Some(FaultOwner::Task), Some(AnswerSource::Injected))
        } else if call.not_recorded {
            (Some(FaultOwner::Pack), Some(AnswerSource::Miss))
        } else {
            (None, None)
        };
        Self { unreadable: None, owner, source }
    }
}

fn logged(call: &CallRecord) -> Value {
    json!({
        "step": call.step, "tool_name": call.tool, "arguments": call.arguments, "success": call.success,
        "error": call.error, "result": call.result,
    })
}

fn with_golden(
    level: &Level,
    entry: &Value,
    mut attempt: TranscriptAttempt,
    timing: BTreeMap<u32, StepTiming>,
    extras: Vec<CallExtras>,
) -> AttemptWithGolden {
    match LoggedTask::read(0, entry) {
        Ok(task) => {
            attempt.answer_is_seeded = level.is_multi_turn() && task.answer_is_seeded();
            compared(level, &task, attempt, timing, extras)
        }
        // An entry of this program is always a task. Otherwise only the comparison would be
        // missing.
        Err(_) => AttemptWithGolden { attempt, golden: Vec::new() },
    }
}

fn compared(
    level: &Level,
    task: &LoggedTask,
    mut attempt: TranscriptAttempt,
    mut timing: BTreeMap<u32, StepTiming>,
    extras: Vec<CallExtras>,
) -> AttemptWithGolden {
    let matching = Matching::new(level, task);
    let results = shown_results(task);
    let calls = task.calls.iter().zip(matching.calls).zip(extras).enumerate();
    attempt.calls = calls
        .map(|(i, ((call, matched), extras))| transcript_call(call, matched, extras, results.get(i).copied()))
        .collect();
    attempt.turns = turns(task, &attempt, &mut timing);
    let golden = matching.golden.into_iter().map(|entry| GoldenCall {
        kind: entry.kind,
        tool: entry.tool,
        arguments: entry.args.into(),
        step: entry.step,
        seeded: entry.seeded,
        call: entry.call,
    });
    AttemptWithGolden { golden: golden.collect(), attempt }
}

fn transcript_call(
    call: &LoggedCall,
    matched: CallMatch,
    extras: CallExtras,
    shown: Option<&Value>,
) -> TranscriptCall {
    let beside = matched.arguments.into_iter().map(|argument| ArgumentBeside {
        name: argument.name,
        golden: argument.golden.unwrap_or_default().into(),
        given: argument.given.unwrap_or_default().into(),
        state: argument.state,
    });
    TranscriptCall {
        step: call.step.as_u64().map(|step| step as u32),
        tool: match &call.tool {
            Value::String(name) => name.clone(),
            Value::Null => String::new(),
            other => other.to_string(),
        },
        arguments: call.args.clone().into(),
        unreadable: extras.unreadable,
        success: call.success.as_bool(),
        error: call.error.as_str().map(Sentence::from),
        owner: extras.owner,
        source: extras.source,
        result: shown
            .or((!call.result.is_null()).then_some(&call.result))
            .map(|result| readable(result).into()),
        place: matched.place,
        golden: matched.golden,
        beside: beside.collect(),
    }
}

/// Returns the results that the model received for its calls. Empty if the messages and the calls
/// do not match.
pub(crate) fn shown_results(task: &LoggedTask) -> Vec<&Value> {
    let results: Vec<&Value> = task
        .messages()
        .iter()
        .filter(|message| Speaker::from_message(message) == Speaker::Tool && !is_seeded_result(message))
        .filter_map(|message| message.get("content"))
        .collect();
    if results.len() == task.calls.len() { results } else { Vec::new() }
}

/// Parses a text that contains JSON. Other values are returned unchanged.
pub(super) fn readable(value: &Value) -> Value {
    match value {
        Value::String(text) if text.starts_with(['{', '[']) => {
            serde_json::from_str(text).unwrap_or_else(|_| value.clone())
        }
        other => other.clone(),
    }
}

fn turns(
    task: &LoggedTask,
    attempt: &TranscriptAttempt,
    timing: &mut BTreeMap<u32, StepTiming>,
) -> Vec<TranscriptTurn> {
    let messages = task.messages();
    let replies = messages.iter().filter(|message| Speaker::from_message(message) == Speaker::Assistant);
    let replies = replies.count() as u32;
    let seeded = replies.saturating_sub(attempt.steps);
    // Turns that are not in the conversation, for example those before a new start, are shown with
    // their calls only.
    let unsaid = attempt.steps.saturating_sub(replies);
    let mut own = |step: u32, text: String| TranscriptTurn {
        speaker: Speaker::Assistant,
        seeded: false,
        text,
        content: None,
        step: Some(step),
        timing: timing.remove(&step),
        calls: (0..attempt.calls.len()).filter(|i| attempt.calls[*i].step == Some(step)).collect(),
    };
    let (mut turns, mut assistants) = (Vec::new(), 0);
    for message in messages {
        let speaker = Speaker::from_message(message);
        // Where no call was executed, every result is from the task.
        if speaker == Speaker::Tool && !is_seeded_result(message) && !attempt.calls.is_empty() {
            continue;
        }
        let content = message.get("content").unwrap_or(&Value::Null);
        let mut text = content.as_str().unwrap_or_default().to_owned();
        if attempt.calls.is_empty() {
            add_unexecuted(&mut text, message);
        }
        if speaker == Speaker::Assistant {
            assistants += 1;
            if assistants == seeded + 1 {
                turns.extend((1..=unsaid).map(|step| own(step, String::new())));
            }
            if assistants > seeded {
                turns.push(own(assistants - seeded + unsaid, text));
                continue;
            }
        }
        let is_tool = speaker == Speaker::Tool;
        turns.push(TranscriptTurn {
            speaker,
            seeded: is_tool || speaker == Speaker::Assistant,
            text: if is_tool { String::new() } else { text },
            content: is_tool.then(|| readable(content).into()),
            step: None,
            timing: None,
            calls: Vec::new(),
        });
    }
    if assistants <= seeded {
        turns.extend((1..=unsaid).map(|step| own(step, String::new())));
    }
    turns
}

/// Appends the calls of a reply as text, as the model wrote them. Other benchmarks score the calls
/// without executing them.
pub(crate) fn add_unexecuted(text: &mut String, message: &Value) {
    for call in message["tool_calls"].as_array().into_iter().flatten() {
        let function = &call["function"];
        let (name, arguments) = (&function["name"], &function["arguments"]);
        if let (Some(name), Some(arguments)) = (name.as_str(), arguments.as_str()) {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&format!("{name}({arguments})"));
        }
    }
}

/// Returns the failure that a task injects, from the fields of the task; `None` if it injects none.
pub(super) fn injection(fact: &Value) -> Option<Injection> {
    let text = |key: &str| fact[key].as_str().map(ToOwned::to_owned);
    Some(Injection { tool: text("tool")?, error_type: text("error_type") })
}

pub(crate) fn is_seeded_result(message: &Value) -> bool {
    message.get("tool_call_id").and_then(Value::as_str).is_some_and(|id| id.starts_with("seed_call_"))
}

fn ms(seconds: f64) -> f64 {
    seconds * 1000.0
}
