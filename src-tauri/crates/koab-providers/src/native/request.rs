//! Converts a conversation and its options to `genai`'s types.

use crate::native::endpoint::Maker;
use crate::native::watch::Watch;
use crate::native::{NativeEndpoint, Protocol, opaque};
use crate::refusals::ModelRefusals;
use crate::structured::ObjectMethod;
use genai::chat::{
    ChatMessage, ChatOptions, ChatRequest, ContentPart, JsonSpec, MessageContent, ReasoningEffort, Tool,
    ToolCall, ToolChoice, ToolResponse,
};
use koab_engine::ports::{self, Message, ModelRequest, OPEN_END, Opaque, RequestedCall};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};

/// The conversation with its tools.
pub(super) fn conversation(protocol: Protocol, request: &ModelRequest<'_>) -> ChatRequest {
    let mut turns = Turns {
        protocol,
        answered: request
            .messages
            .iter()
            .filter_map(|message| match message {
                Message::Tool { call_id, .. } => Some(call_id.as_str()),
                _ => None,
            })
            .collect(),
        sent: HashMap::new(),
        messages: Vec::new(),
        results: Vec::new(),
    };
    let mut system = Vec::new();
    for message in request.messages {
        match message {
            Message::System(text) => system.push(text.as_str()),
            Message::User(text) => turns.user(text),
            Message::Assistant { content, calls, opaque } => turns.assistant(content, calls, opaque.as_ref()),
            Message::Tool { call_id, content } => turns.result(call_id, content),
        }
    }
    turns.flush();
    let mut chat = ChatRequest::new(turns.messages);
    if !system.is_empty() {
        chat = chat.with_system(system.join("\n\n"));
    }
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| {
            Tool::new(tool.name.as_str())
                .with_description(tool.description.as_str())
                .with_schema(plain(&tool.parameters))
        });
        chat = chat.with_tools(tools.collect::<Vec<_>>());
    }
    chat
}

/// Turns that are converted so far. The results of one turn's calls become one message.
struct Turns<'a> {
    protocol: Protocol,
    /// Ids of all calls that have a result.
    answered: HashSet<&'a str>,
    /// Call id → the provider's id of the call, and the tool's name.
    sent: HashMap<&'a str, (String, &'a str)>,
    messages: Vec<ChatMessage>,
    results: Vec<ToolResponse>,
}

impl<'a> Turns<'a> {
    fn user(&mut self, text: &str) {
        // Converse requires alternating turns, so the user's text is sent together with the
        // results.
        if self.protocol == Protocol::Bedrock && !self.results.is_empty() {
            let results = std::mem::take(&mut self.results).into_iter().map(ContentPart::ToolResponse);
            let parts: Vec<ContentPart> = results.chain([ContentPart::from_text(text)]).collect();
            self.messages.push(ChatMessage::user(MessageContent::from_parts(parts)));
            return;
        }
        self.flush();
        self.messages.push(ChatMessage::user(text));
    }

    fn assistant(&mut self, text: &str, calls: &'a [RequestedCall], opaque: Option<&Opaque>) {
        self.flush();
        let content = opaque
            .and_then(|opaque| opaque::content(opaque, self.protocol, calls.len()))
            .unwrap_or_else(|| self.written(text, calls));
        for (call, sent) in calls.iter().zip(content.tool_calls()) {
            self.sent.insert(&call.id, (sent.call_id.clone(), call.name.as_str()));
        }
        // All of these protocols refuse calls without a result, such as seeded ones; the text of
        // their turn is kept.
        let is_accepted = |part: &ContentPart| match part {
            ContentPart::ToolCall(call) => {
                self.sent.iter().any(|(id, (sent, _))| *sent == call.call_id && self.answered.contains(id))
            }
            _ => true,
        };
        let parts: Vec<ContentPart> = content.into_iter().filter(is_accepted).collect();
        if !parts.is_empty() {
            self.messages.push(ChatMessage::assistant(MessageContent::from_parts(parts)));
        }
    }

    /// Content of an assistant turn, built from its text and calls. Needed when no content of the
    /// same protocol is stored for the turn.
    fn written(&self, text: &str, calls: &[RequestedCall]) -> MessageContent {
        // Empty text blocks are refused.
        let text = (!text.is_empty()).then(|| ContentPart::from_text(text));
        let calls = calls.iter().enumerate().map(|(at, call)| {
            ContentPart::ToolCall(ToolCall {
                call_id: match self.protocol {
                    // With this id `genai` sends none, and Gemini matches calls by name and order,
                    // as for its own calls.
                    Protocol::Gemini | Protocol::Vertex => {
                        format!("call#{}#{}{at}", call.name, self.messages.len())
                    }
                    Protocol::Anthropic | Protocol::Bedrock => call.id.clone(),
                },
                fn_name: call.name.clone(),
                fn_arguments: opaque::arguments(&call.arguments),
                thought_signatures: None,
            })
        });
        MessageContent::from_parts(text.into_iter().chain(calls).collect::<Vec<_>>())
    }

    fn result(&mut self, call_id: &str, content: &str) {
        let result = match self.sent.get(call_id) {
            Some((sent, name)) => ToolResponse::new(sent.as_str(), content).with_fn_name(*name),
            None => ToolResponse::new(call_id, content),
        };
        self.results.push(result);
    }

    fn flush(&mut self) {
        if !self.results.is_empty() {
            let results = std::mem::take(&mut self.results);
            self.messages.push(ChatMessage::tool(MessageContent::from_tool_responses(results)));
        }
    }
}

/// A schema without the key `strict`, which belongs next to a schema and is refused inside it.
fn plain(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(schema) = schema.as_object_mut()
        && schema.get("strict").is_some_and(Value::is_boolean)
    {
        schema.remove("strict");
    }
    schema
}

/// All options of a request, and the observer of its answer.
pub(super) fn options(
    endpoint: &NativeEndpoint,
    learned: &ModelRefusals,
    request: &ModelRequest<'_>,
    way: Option<ObjectMethod>,
) -> (ChatOptions, Watch) {
    let maker = endpoint.protocol.maker(&endpoint.model);
    let effort = effort(endpoint, request);
    let watch = Watch::default();
    let mut options = ChatOptions::default()
        .with_capture_usage(true)
        .with_capture_content(true)
        .with_capture_tool_calls(true)
        // Claude's signed thinking must be sent back. Gemini's signatures come without its
        // thoughts, which would cost time.
        .with_capture_reasoning_content(maker != Maker::Google)
        .with_raw_frame_sink(watch.clone());
    if let Some(limit) = request.max_tokens.or(own_limit(endpoint)) {
        options = options.with_max_tokens(with_thinking(endpoint, request, limit));
    }
    // Claude accepts no temperature together with thinking.
    let thinks = maker == Maker::Anthropic && effort.is_some();
    if !thinks && !learned.refuses_temperature() {
        options = options.with_temperature(request.temperature);
    }
    if let Some(effort) = effort {
        options = options.with_reasoning_effort(effort);
    } else if endpoint.protocol == Protocol::Anthropic {
        // Otherwise `genai` takes an effort from model names that end with one, and removes it.
        options = options.with_extra_body(json!({ "model": endpoint.model }));
    }
    if let Some(seed) = request.seed {
        options = options.with_seed(seed);
    }
    match (way, request.answer_schema, request.tools) {
        (Some(ObjectMethod::Schema), Some((name, schema)), _) => {
            options = options.with_response_format(JsonSpec::new(name, plain(schema)));
        }
        (Some(ObjectMethod::Tool), _, [tool, ..]) => {
            options = options.with_tool_choice(ToolChoice::tool(tool.name.as_str()));
        }
        (None, _, [_, ..]) => match request.tool_choice {
            ports::ToolChoice::Auto => {}
            ports::ToolChoice::Required => options = options.with_tool_choice(ToolChoice::Required),
            ports::ToolChoice::Named(name) => options = options.with_tool_choice(ToolChoice::tool(name)),
        },
        _ => {}
    }
    (options, watch)
}

/// Effort that the request contains. `None` if the protocol has no field for it.
fn effort(endpoint: &NativeEndpoint, request: &ModelRequest<'_>) -> Option<ReasoningEffort> {
    // For Claude on Vertex `genai` has no field for effort, so an effort must not change anything
    // else either.
    let maker = endpoint.protocol.maker(&endpoint.model);
    let takes_effort = !(endpoint.protocol == Protocol::Vertex && maker == Maker::Anthropic);
    request.effort.filter(|_| takes_effort).and_then(ReasoningEffort::from_keyword)
}

/// Token limit of a request that sets none. Claude's protocol requires a limit; other models have
/// no limit then.
pub(super) fn own_limit(endpoint: &NativeEndpoint) -> Option<u32> {
    (endpoint.protocol.maker(&endpoint.model) == Maker::Anthropic).then_some(OPEN_END)
}

/// Maximum number of output tokens, as far as known.
pub(super) fn most_output(endpoint: &NativeEndpoint, request: &ModelRequest<'_>) -> u32 {
    with_thinking(endpoint, request, request.max_tokens.unwrap_or(OPEN_END))
}

/// A token limit plus the budget for thinking, which counts as output in addition to the answer.
fn with_thinking(endpoint: &NativeEndpoint, request: &ModelRequest<'_>, limit: u32) -> u32 {
    let maker = endpoint.protocol.maker(&endpoint.model);
    let thinking = effort(endpoint, request).map_or(0, |effort| room(maker, &effort));
    limit.saturating_add(thinking)
}

/// Tokens of thinking for an effort, as `genai` defines them for models that take a budget.
fn room(maker: Maker, effort: &ReasoningEffort) -> u32 {
    match (maker, effort) {
        (Maker::Other, _) => 0,
        (_, ReasoningEffort::Low) => 1024,
        (_, ReasoningEffort::Medium) => 8000,
        (_, ReasoningEffort::High) => 24_000,
        _ => 0,
    }
}
