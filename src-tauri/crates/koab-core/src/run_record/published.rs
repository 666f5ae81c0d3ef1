//! A level's log in the published form, which the original evaluator reads (`docs/spec/metrics.md`
//! §1.2).

use super::{AttemptRecord, CallRecord, StepRecord, StopReason, TokenUsage};
use crate::event::AnswerSource;
use crate::level::Level;
use crate::log::STEPS_BY_ARRIVAL;
use crate::protocol::Protocol;
use crate::python::{naive_sum, round_to, truthy};
use crate::task::Task;
use serde_json::{Map, Value, json};
use std::borrow::Borrow;

/// Facts about a run in a level's log.
#[derive(Clone, Debug)]
pub struct LogHeader<'a> {
    /// Model id as given, slashes and colons included.
    pub model: &'a str,
    /// ISO local time of writing.
    pub timestamp: &'a str,
    /// Protocol of the run, which determines how a failed attempt is logged.
    pub protocol: Protocol,
    /// Number of planned attempts at each task.
    pub repetitions: u32,
}

/// The attempts at one task for a log: the first attempt in full, and the success of all attempts.
#[derive(Clone, Debug)]
pub struct TaskAttempts<R> {
    /// The attempt with the lowest repetition, which represents the task.
    pub first: R,
    /// `success` of each attempt, by repetition.
    pub successes: Vec<bool>,
}

impl<'a> TaskAttempts<&'a AttemptRecord> {
    /// Creates the attempts from records sorted by repetition; `None` without records.
    pub fn from_records(records: &[&'a AttemptRecord]) -> Option<Self> {
        Some(Self {
            first: records.first()?,
            successes: records.iter().map(|record| record.success).collect(),
        })
    }
}

/// Creates the log of one level, with tasks in dataset order.
///
/// The caller leaves out tasks without an attempt. After an interruption the resumed run adds them
/// to its log.
pub fn level_log<R: Borrow<AttemptRecord>>(
    header: &LogHeader<'_>,
    level: &Level,
    tasks: impl IntoIterator<Item = (impl Borrow<Task>, TaskAttempts<R>)>,
) -> Value {
    let results: Vec<Value> = tasks
        .into_iter()
        .map(|(task, attempts)| result(header, task.borrow(), attempts.first.borrow(), attempts.successes))
        .collect();
    let mut log = Map::new();
    log.insert("metadata".into(), metadata(header, level, &results));
    log.insert("tool_usage_statistics".into(), tool_statistics(&results));
    log.insert("results".into(), Value::Array(results));
    Value::Object(log)
}

/// The log entry of one task. The first repetition represents the task; the other repetitions
/// appear only in `repetition_results`.
fn result(header: &LogHeader<'_>, task: &Task, first: &AttemptRecord, successes: Vec<bool>) -> Value {
    let log = LogEntry::new(header.protocol, first);
    let raw = |key: &str, default: Value| task.raw.get(key).cloned().unwrap_or(default);
    let mut entry = json!({
        "task_id": task.id,
        "instruction": raw("instruction", Value::Null),
        "level": raw("task_level", json!(0)),
        "category": raw("task_category", Value::Null),
        "success": first.success,
        "execution_time": first.took_s,
        "steps_taken": log.steps.len(),
        "error": first.error.as_ref().map(ToString::to_string),
        "expected_tools": task.expected_tools(),
        "golden_action": raw("golden_action", json!([])),
        "minimum_steps": raw("minimum_steps", Value::Null),
        "data_flow": raw("data_flow", json!([])),
        "error_injection": raw("error_injection", Value::Null),
        "fallback_options": raw("fallback_options", json!([])),
        "resp_schema": raw("resp_schema", json!({})),
        "arg_schema": raw("arg_schema", json!({})),
        "repetitions": header.repetitions,
        "repetition_results": successes,
        "token_usage": log.tokens(),
        "ttft_stats": log.ttft(),
        "tool_calls": log.calls(),
        "final_response": log.final_response,
        "conversation_log": log.conversation(),
    });
    // Not part of the published form: without it the error would look like a server's.
    if first.stop == StopReason::CutOff {
        entry["cut_off"] = true.into();
    }
    // Not part of the published form either: the calls that a reply made together are unknown.
    if log.by_arrival {
        entry[STEPS_BY_ARRIVAL] = true.into();
    }
    entry
}

/// The log entry of another attempt at a task, made from the entry of the first attempt.
///
/// Fields of the task are copied, fields of the attempt come from the record. `repetition_results`
/// has only this attempt.
pub fn entry_of(entry: &Map<String, Value>, protocol: Protocol, record: &AttemptRecord) -> Value {
    let log = LogEntry::new(protocol, record);
    let own = [
        ("success", record.success.into()),
        ("execution_time", record.took_s.into()),
        ("steps_taken", log.steps.len().into()),
        ("error", json!(record.error.as_ref().map(ToString::to_string))),
        ("repetition_results", json!([record.success])),
        ("token_usage", log.tokens()),
        ("ttft_stats", log.ttft()),
        ("tool_calls", log.calls()),
        ("final_response", json!(log.final_response)),
        ("conversation_log", log.conversation()),
    ];
    // Fields from the record keep their position. Their values in the log are not copied, since
    // `repetition_results` may be long.
    let field = |key: &str, value: &Value| {
        if own.iter().any(|(own, _)| *own == key) { Value::Null } else { value.clone() }
    };
    let mut entry: Map<String, Value> =
        entry.iter().map(|(key, value)| (key.clone(), field(key, value))).collect();
    for (key, value) in own {
        entry.insert(key.to_owned(), value);
    }
    entry.remove("cut_off");
    if record.stop == StopReason::CutOff {
        entry.insert("cut_off".to_owned(), true.into());
    }
    entry.remove(STEPS_BY_ARRIVAL);
    if log.by_arrival {
        entry.insert(STEPS_BY_ARRIVAL.to_owned(), true.into());
    }
    Value::Object(entry)
}

/// The parts of an attempt that a log contains.
struct LogEntry<'a> {
    calls: &'a [CallRecord],
    steps: &'a [StepRecord],
    messages: &'a [Value],
    final_response: Option<&'a str>,
    usage: TokenUsage,
    by_arrival: bool,
}

impl<'a> LogEntry<'a> {
    fn new(protocol: Protocol, record: &'a AttemptRecord) -> Self {
        // The published runner discards the steps and calls of a failed single-turn attempt.
        let discarded = protocol == Protocol::Leaderboard
            && !record.level.is_multi_turn()
            && matches!(record.stop, StopReason::TimedOut | StopReason::ModelFailed);
        if discarded {
            return Self {
                calls: &[],
                steps: &[],
                messages: &[],
                final_response: None,
                usage: TokenUsage::default(),
                by_arrival: false,
            };
        }
        Self {
            calls: &record.calls,
            steps: &record.steps,
            messages: &record.messages,
            final_response: record.final_response.as_deref().filter(|text| !text.is_empty()),
            usage: record.usage(),
            by_arrival: record.agent.as_ref().is_some_and(|agent| agent.by_arrival),
        }
    }

    fn calls(&self) -> Value {
        self.calls.iter().map(call).collect()
    }

    /// Tokens of the attempt; null if they are unknown, which differs from 0.
    fn tokens(&self) -> Value {
        if self.by_arrival { Value::Null } else { json!(self.usage) }
    }

    fn ttft(&self) -> Value {
        if self.by_arrival {
            return Value::Null;
        }
        ttft_stats(self.steps.iter().filter_map(|step| step.ttft_s))
    }

    fn conversation(&self) -> Value {
        json!({ "total_messages": self.messages.len(), "messages": self.messages })
    }
}

fn call(call: &CallRecord) -> Value {
    let mut entry = json!({
        "step": call.step,
        "tool_name": call.tool,
        "arguments": call.arguments,
        "success": call.success,
        "error": call.error,
    });
    if let Value::Object(map) = &mut entry {
        if let (true, Some(result)) = (call.success, &call.result)
            && truthy(result)
        {
            map.insert("result".into(), result.clone());
        }
        // Neither is part of the published form, whose readers ignore them. A miss is the pack's
        // fault, not the model's.
        if call.source == AnswerSource::Miss {
            map.insert("not_recorded".into(), true.into());
        }
        // Without this field, `{}` would hide what the model wrote.
        if let Some(text) = &call.unreadable_arguments {
            map.insert("unreadable_arguments".into(), text.as_str().into());
        }
    }
    entry
}

/// Average, minimum, maximum and number of the times to the first token above 0, in seconds. All
/// are 0 without such times.
fn ttft_stats(times: impl Iterator<Item = f64>) -> Value {
    let times: Vec<f64> = times.filter(|t| *t > 0.0).collect();
    if times.is_empty() {
        return json!({ "average": 0.0, "min": 0.0, "max": 0.0, "count": 0 });
    }
    json!({
        "average": naive_sum(times.iter().copied()) / times.len() as f64,
        "min": times.iter().copied().fold(f64::INFINITY, f64::min),
        "max": times.iter().copied().fold(0.0, f64::max),
        "count": times.len(),
    })
}

/// Metadata of a log: counts and means over its results.
pub fn metadata(header: &LogHeader<'_>, level: &Level, results: &[Value]) -> Value {
    let count = results.len();
    let number = |result: &Value, path: &str| result.pointer(path).and_then(Value::as_f64).unwrap_or(0.0);
    let total = |path: &str| naive_sum(results.iter().map(|r| number(r, path)));
    // Python's round() of an integer quotient is written as an integer 0 when nothing was divided.
    let mean = |path: &str| {
        if count == 0 { json!(0) } else { json!(round_to(total(path) / count as f64, 2)) }
    };
    let successes = results.iter().filter(|r| r["success"] == json!(true)).count();
    let time = total("/execution_time");
    let calls: usize = results.iter().filter_map(|r| r["tool_calls"].as_array()).map(Vec::len).sum();
    let tokens = total("/token_usage/total_tokens");
    let ttft: Vec<f64> =
        results.iter().map(|r| number(r, "/ttft_stats/average")).filter(|t| *t > 0.0).collect();
    let ttft_part = |value: f64| {
        if ttft.is_empty() { json!(0) } else { json!(round_to(value, 4)) }
    };
    json!({
        "timestamp": header.timestamp,
        "model": header.model,
        "level": level.as_str(),
        "total_tasks": count,
        "successful_tasks": successes,
        "failed_tasks": count - successes,
        "success_rate": if count == 0 { json!(0) } else { json!(round_to(successes as f64 / count as f64 * 100.0, 2)) },
        "total_execution_time": round_to(time, 2),
        "average_execution_time": mean("/execution_time"),
        "total_steps": total("/steps_taken") as u64,
        "average_steps": mean("/steps_taken"),
        "total_tool_calls": calls,
        "average_tool_calls": if count == 0 { json!(0) } else { json!(round_to(calls as f64 / count as f64, 2)) },
        "total_tokens": tokens as u64,
        "average_tokens_per_task": mean("/token_usage/total_tokens"),
        "average_prompt_tokens": mean("/token_usage/prompt_tokens"),
        "average_completion_tokens": mean("/token_usage/completion_tokens"),
        "average_tps": if time > 0.0 { json!(round_to(tokens / time, 2)) } else { json!(0) },
        "ttft": {
            "average": ttft_part(naive_sum(ttft.iter().copied()) / ttft.len().max(1) as f64),
            "min": ttft_part(ttft.iter().copied().fold(f64::INFINITY, f64::min)),
            "max": ttft_part(ttft.iter().copied().fold(0.0, f64::max)),
            "unit": "seconds",
        },
    })
}

/// Number of calls, successes and failures of each tool, in the order of first use.
fn tool_statistics(results: &[Value]) -> Value {
    let mut tools: Map<String, Value> = Map::new();
    for call in results.iter().filter_map(|r| r["tool_calls"].as_array()).flatten() {
        let name = call["tool_name"].as_str().unwrap_or_default();
        let entry = tools.entry(name).or_insert_with(|| json!({ "count": 0, "success": 0, "failure": 0 }));
        let outcome = if call["success"] == json!(true) { "success" } else { "failure" };
        for key in ["count", outcome] {
            entry[key] = json!(entry[key].as_u64().unwrap_or(0) + 1);
        }
    }
    Value::Object(tools)
}
