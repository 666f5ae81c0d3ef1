//! Makes spans from a run's events.
//!
//! An attempt's spans are held back until its end, since their texts arrive after their events.
//! Spans that are still open at the end of the run are closed as cancelled.

use super::span::{Attributes, Span, SpanKind};
use koab_core::event::{AnswerSource, RunEvent, RunEventKind, RunOutcome};
use koab_core::level::Level;
use koab_core::run_record::{AttemptRecord, CallRecord};
use koab_core::sentence::Sentence;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Settings that all model calls of a run share and that events do not contain.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestFacts {
    /// Sampling temperature.
    pub(crate) temperature: f64,
    /// Maximum number of output tokens.
    pub(crate) max_tokens: Option<u32>,
    /// Sampling seed.
    pub(crate) seed: Option<u64>,
    /// Host and port of the server, when the user gave an address.
    pub(crate) server: Option<(String, Option<u16>)>,
}

/// Makes the spans of one run.
pub(super) struct Tracer {
    facts: RequestFacts,
    content: bool,
    trace: u128,
    root: u64,
    /// Name of the provider, an attribute of every span about the model.
    provider: String,
    model: String,
    begun: Option<(f64, Attributes)>,
    open: BTreeMap<(String, u32), OpenAttempt>,
}

/// An attempt that has not ended.
struct OpenAttempt {
    id: u64,
    level: Level,
    start_ms: f64,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    /// Kind of error of the last model call; `None` when that call succeeded.
    fault: Option<&'static str>,
    /// Prompt and answer of the attempt, as attributes; empty unless the user allows sending texts.
    texts: Attributes,
    spans: Vec<(Option<SpanKey>, Span)>,
}

impl OpenAttempt {
    fn new(level: Level, start_ms: f64) -> Self {
        Self {
            id: span_id(),
            level,
            start_ms,
            input_tokens: None,
            output_tokens: None,
            fault: None,
            texts: Attributes::default(),
            spans: Vec::new(),
        }
    }
}

/// Key of a chat or tool span. Texts arrive after their span was made, and find it by this key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SpanKey {
    Chat(u32),
    Tool(u32),
}

impl Tracer {
    pub(super) fn new(facts: RequestFacts, content: bool) -> Self {
        Self {
            facts,
            content,
            trace: fastrand::u128(1..),
            root: span_id(),
            provider: String::new(),
            model: String::new(),
            begun: None,
            open: BTreeMap::new(),
        }
    }

    /// Processes an event and returns the spans that the event completes.
    pub(super) fn finished_by(&mut self, event: &RunEvent) -> Vec<Span> {
        let now = event.at_ms as f64;
        match &event.kind {
            RunEventKind::AttemptFinished { .. } => return self.attempt_finished(now, &event.kind),
            RunEventKind::RunFinished { outcome, done, failed, reason, .. } => {
                return self.end(now, *outcome, (*done, *failed), reason.as_ref());
            }
            RunEventKind::RunStarted { .. } => self.run_started(now, event),
            RunEventKind::AttemptStarted { task, level, repetition } => {
                self.open.insert((task.clone(), *repetition), OpenAttempt::new(level.clone(), now));
            }
            RunEventKind::StepFinished { .. } => self.step_finished(now, &event.kind),
            RunEventKind::CallFailed { task, repetition, step, fault, message, took_ms } => {
                let mut span = self.chat(now, *took_ms, self.about_call(*step));
                span.error = Some(fault.as_str().to_owned());
                // A server's error message may repeat the request.
                span.message = self.content.then(|| message.to_string());
                self.within(task, *repetition, |open| {
                    open.fault = Some(fault.as_str());
                    open.spans.push((None, span));
                });
            }
            RunEventKind::ToolAnswered { .. } => self.tool_answered(now, &event.kind),
            // An earlier session has sent the spans of attempts that had ended.
            RunEventKind::AttemptsEnded { .. }
            | RunEventKind::Waiting { .. }
            | RunEventKind::StepStarted { .. }
            | RunEventKind::RunChanged { .. }
            | RunEventKind::RunPaused { .. }
            | RunEventKind::RunResumed {} => {}
        }
        Vec::new()
    }

    fn run_started(&mut self, now: f64, event: &RunEvent) {
        let RunEventKind::RunStarted { model, pack, protocol, attempts, .. } = &event.kind else { return };
        let (provider, name) = model.split_once('/').unwrap_or(("", model));
        self.provider = provider_name(provider).to_owned();
        self.model = name.to_owned();
        let mut about = self.about_model();
        about
            .note("koab.run.id", event.run.as_str())
            .note("koab.pack", pack.as_str())
            .note("koab.protocol", protocol.as_str())
            .note("koab.attempts.planned", *attempts);
        self.begun = Some((now, about));
    }

    fn step_finished(&mut self, now: f64, event: &RunEventKind) {
        let RunEventKind::StepFinished {
            task,
            repetition,
            step,
            prompt_tokens,
            completion_tokens,
            ttft_ms,
            latency_ms,
            finish,
            ..
        } = event
        else {
            return;
        };
        let mut about = self.about_call(*step);
        about
            .note("gen_ai.response.finish_reasons", finish.as_ref().map(|reason| vec![reason.as_str()]))
            .note("gen_ai.usage.input_tokens", *prompt_tokens)
            .note("gen_ai.usage.output_tokens", *completion_tokens)
            .note("gen_ai.response.time_to_first_chunk", ttft_ms.map(|ms| ms / 1000.0));
        let span = self.chat(now, *latency_ms, about);
        self.within(task, *repetition, |open| {
            open.input_tokens = sum(open.input_tokens, *prompt_tokens);
            open.output_tokens = sum(open.output_tokens, *completion_tokens);
            open.fault = None;
            open.spans.push((Some(SpanKey::Chat(*step)), span));
        });
    }

    fn tool_answered(&mut self, now: f64, event: &RunEventKind) {
        let RunEventKind::ToolAnswered { task, repetition, step, tool, call_id, ok, source, took_ms } = event
        else {
            return;
        };
        let mut about = Attributes::default();
        about
            .note("gen_ai.operation.name", "execute_tool")
            .note("gen_ai.tool.name", tool.as_str())
            .note("gen_ai.tool.type", "function")
            .note("gen_ai.tool.call.id", call_id.clone())
            .note("koab.step", *step)
            .note("koab.tool.answer", source_name(*source));
        let began = now - took_ms.unwrap_or(0.0);
        let mut span = self.span(format!("execute_tool {tool}"), began, now, about);
        span.error = (!ok).then(|| source_name(*source).to_owned());
        self.within(task, *repetition, |open| {
            open.spans.push((Some(SpanKey::Tool(*step)), span));
        });
    }

    /// Returns the spans of an attempt that has ended. The list is empty if an earlier session of
    /// the run made the attempt.
    fn attempt_finished(&mut self, now: f64, event: &RunEventKind) -> Vec<Span> {
        let RunEventKind::AttemptFinished { task, repetition, success, stop, error, .. } = event else {
            return Vec::new();
        };
        let Some(open) = self.open.remove(&(task.clone(), *repetition)) else {
            return Vec::new();
        };
        let stop = word(stop);
        let failed = !success || error.is_some();
        let kind = failed.then(|| open.fault.map_or_else(|| stop.clone(), str::to_owned));
        let mut spans = self.attempt(open, task, *repetition, now, kind);
        if let Some(attempt) = spans.last_mut() {
            attempt.attributes.note("koab.stop", stop).note("koab.success", *success);
            attempt.message = error.as_ref().filter(|_| self.content).map(ToString::to_string);
        }
        spans
    }

    /// Adds the texts of a step to its spans: the model's text, and each call's arguments and
    /// result.
    pub(super) fn note_step(
        &mut self,
        task: &str,
        repetition: u32,
        step: u32,
        text: &str,
        calls: &[CallRecord],
    ) {
        self.within(task, repetition, |open| {
            let mut tools = open
                .spans
                .iter_mut()
                .filter(|(key, _)| *key == Some(SpanKey::Tool(step)))
                .map(|(_, span)| span);
            let mut parts = Vec::new();
            if !text.is_empty() {
                parts.push(json!({ "type": "text", "content": text }));
            }
            for call in calls {
                let arguments =
                    call.unreadable_arguments.clone().map_or_else(|| call.arguments.clone(), Value::from);
                let mut part = json!({ "type": "tool_call", "name": call.tool, "arguments": arguments });
                if let Some(span) = tools.next() {
                    part["id"] = span.attributes.get("gen_ai.tool.call.id");
                    span.attributes
                        .note("gen_ai.tool.call.arguments", plain_text(&arguments))
                        .note("gen_ai.tool.call.result", call.result.as_ref().map(plain_text));
                    span.message = call.error.clone();
                }
                parts.push(part);
            }
            drop(tools);
            let chat = open.spans.iter_mut().find(|(key, _)| *key == Some(SpanKey::Chat(step)));
            if let Some((_, chat)) = chat {
                let finish = chat.attributes.get("gen_ai.response.finish_reasons");
                let messages = json!([{ "role": "assistant", "parts": parts, "finish_reason": finish[0] }]);
                chat.attributes.note("gen_ai.output.messages", messages.to_string());
            }
        });
    }

    /// Adds the texts of an attempt: the user's messages and the final answer.
    pub(super) fn note_attempt(&mut self, record: &AttemptRecord) {
        let message =
            |role: &str, text: &str| json!({ "role": role, "parts": [{ "type": "text", "content": text }] });
        let prompts: Vec<Value> = record
            .messages
            .iter()
            .filter(|entry| entry["role"] == "user")
            .filter_map(|entry| Some(message("user", entry["content"].as_str()?)))
            .collect();
        let answer = record
            .final_response
            .as_deref()
            .map(|text| Value::from(vec![message("assistant", text)]).to_string());
        self.within(&record.task, record.repetition, |open| {
            open.texts
                .note("gen_ai.input.messages", Value::from(prompts).to_string())
                .note("gen_ai.output.messages", answer);
        });
    }

    fn end(
        &mut self,
        now: f64,
        outcome: RunOutcome,
        (done, failed): (u32, u32),
        reason: Option<&Sentence>,
    ) -> Vec<Span> {
        let mut spans = Vec::new();
        for ((task, repetition), open) in std::mem::take(&mut self.open) {
            let kind = Some("cancelled".to_owned());
            spans.extend(self.attempt(open, &task, repetition, now, kind));
        }
        let Some((start, mut about)) = self.begun.take() else {
            return spans;
        };
        about
            .note("koab.outcome", word(&outcome))
            .note("koab.attempts.done", done)
            .note("koab.attempts.failed", failed);
        let mut run = self.span("koab run".to_owned(), start, now, about);
        run.id = self.root;
        run.parent = None;
        run.error = (outcome != RunOutcome::Completed).then(|| word(&outcome));
        run.message = reason.filter(|_| self.content).map(ToString::to_string);
        spans.push(run);
        spans
    }

    /// Returns an attempt's spans; the span of the attempt itself is the last.
    fn attempt(
        &self,
        open: OpenAttempt,
        task: &str,
        repetition: u32,
        now: f64,
        error: Option<String>,
    ) -> Vec<Span> {
        let mut about = self.about_model();
        about
            .note("gen_ai.operation.name", "invoke_agent")
            .note("gen_ai.agent.name", task)
            .note("gen_ai.conversation.id", format!("{task}#{repetition}"))
            .note("gen_ai.usage.input_tokens", open.input_tokens)
            .note("gen_ai.usage.output_tokens", open.output_tokens)
            .note("koab.task.id", task)
            .note("koab.level", open.level.as_str())
            .note("koab.repetition", repetition)
            .extend(open.texts);
        let mut own = self.span(format!("invoke_agent {task}"), open.start_ms, now, about);
        own.id = open.id;
        own.error = error;
        let within = open.spans.into_iter().map(|(_, mut span)| {
            span.parent = Some(open.id);
            span
        });
        within.chain([own]).collect()
    }

    fn chat(&self, now: f64, took_ms: f64, about: Attributes) -> Span {
        let mut span = self.span(format!("chat {}", self.model), now - took_ms, now, about);
        span.kind = SpanKind::Client;
        span
    }

    fn span(&self, name: String, start_ms: f64, end_ms: f64, attributes: Attributes) -> Span {
        Span {
            trace: self.trace,
            id: span_id(),
            parent: Some(self.root),
            name,
            kind: SpanKind::Internal,
            start_ms,
            end_ms,
            error: None,
            message: None,
            attributes,
        }
    }

    fn about_model(&self) -> Attributes {
        let mut about = Attributes::default();
        about
            .note("gen_ai.provider.name", self.provider.as_str())
            .note("gen_ai.request.model", self.model.as_str());
        about
    }

    fn about_call(&self, step: u32) -> Attributes {
        let mut about = self.about_model();
        about
            .note("gen_ai.operation.name", "chat")
            .note("gen_ai.request.temperature", self.facts.temperature)
            .note("gen_ai.request.max_tokens", self.facts.max_tokens)
            .note("gen_ai.request.seed", self.facts.seed)
            .note("koab.step", step);
        if let Some((host, port)) = &self.facts.server {
            about.note("server.address", host.as_str()).note("server.port", *port);
        }
        about
    }

    fn within(&mut self, task: &str, repetition: u32, change: impl FnOnce(&mut OpenAttempt)) {
        if let Some(open) = self.open.get_mut(&(task.to_owned(), repetition)) {
            change(open);
        }
    }
}

fn span_id() -> u64 {
    fastrand::u64(1..)
}

/// Adds two counts; a missing one does not change the sum.
fn sum(before: Option<u64>, more: Option<u64>) -> Option<u64> {
    more.map(|more| before.unwrap_or(0) + more).or(before)
}

/// Returns the provider's name in the `GenAI` conventions. A provider that they do not name keeps
/// this program's name for it.
fn provider_name(provider: &str) -> &str {
    match provider {
        "azure" => "azure.ai.openai",
        "gemini" => "gcp.gemini",
        "vertex_ai" => "gcp.vertex_ai",
        "bedrock" => "aws.bedrock",
        other => other,
    }
}

/// Returns the name of the source of a tool's answer. For a failed call, `error.type` has the same
/// name.
fn source_name(source: AnswerSource) -> &'static str {
    match source {
        AnswerSource::Hit => "recorded",
        AnswerSource::Miss => "not_recorded",
        AnswerSource::Injected => "injected_failure",
        AnswerSource::Refused => "faulty_call",
        AnswerSource::Live => "real_service",
        AnswerSource::Overlay => "overlay",
    }
}

/// Returns the name of a unit variant in its serialized form.
fn word(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

fn plain_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
