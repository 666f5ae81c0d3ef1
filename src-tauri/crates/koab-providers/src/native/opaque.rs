//! Content that a provider expects back unchanged: thinking blocks with their signatures, redacted
//! blocks, thought signatures, and its own ids of calls.

use crate::native::Protocol;
use genai::chat::{ContentPart, MessageContent};
use koab_engine::ports::{Opaque, RequestedCall};
use serde_json::{Map, Value, json};
use std::sync::Arc;

const PROTOCOL: &str = "protocol";
const CONTENT: &str = "content";

fn name(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Anthropic => "anthropic",
        Protocol::Gemini | Protocol::Vertex => "google",
        Protocol::Bedrock => "converse",
    }
}

/// Content of a turn that must be stored for later requests. `None` if the turn's text and calls
/// contain all of it.
pub(super) fn from_content(
    content: Option<MessageContent>,
    protocol: Protocol,
    calls: &[RequestedCall],
) -> Option<Opaque> {
    let mut content = content?;
    let own = |part: &ContentPart| match part {
        ContentPart::ThoughtSignature(_) | ContentPart::ReasoningContent(_) | ContentPart::Custom(_) => true,
        ContentPart::ToolCall(call) => {
            let is_google = matches!(protocol, Protocol::Gemini | Protocol::Vertex);
            call.thought_signatures.is_some() || (is_google && !call.call_id.starts_with("call#"))
        }
        _ => false,
    };
    if !content.iter().any(own) {
        return None;
    }
    // `genai` 0.7 writes the model's name inside a custom part in a form that it cannot read again,
    // and the name is not needed.
    let mut calls = calls.iter();
    for part in content.iter_mut() {
        match part {
            ContentPart::Custom(custom) => custom.model_iden = None,
            // `genai` does not see arguments that came with the start of their block.
            ContentPart::ToolCall(call) => {
                let is_empty = call.fn_arguments.as_object().is_none_or(Map::is_empty);
                if let Some(requested) = calls.next().filter(|_| is_empty) {
                    call.fn_arguments = arguments(&requested.arguments);
                }
            }
            _ => {}
        }
    }
    let content = serde_json::to_value(content).ok()?;
    Some(Arc::new(json!({ PROTOCOL: name(protocol), CONTENT: content })))
}

/// The stored content of a turn. `None` if another protocol stored it, or if its number of calls
/// differs from `calls`.
pub(super) fn content(opaque: &Opaque, protocol: Protocol, calls: usize) -> Option<MessageContent> {
    if opaque.get(PROTOCOL).and_then(Value::as_str) != Some(name(protocol)) {
        return None;
    }
    let mut content: MessageContent = serde_json::from_value(opaque.get(CONTENT)?.clone()).ok()?;
    for part in content.iter_mut() {
        if let ContentPart::ToolCall(call) = part
            && !call.fn_arguments.is_object()
        {
            call.fn_arguments = match &call.fn_arguments {
                Value::String(text) => arguments(text),
                other => arguments(&other.to_string()),
            };
        }
    }
    (content.tool_calls().len() == calls).then_some(content)
}

/// Arguments as the object that these protocols require. Text that is not an object is wrapped: the
/// result of the call tells the model its fault.
pub(super) fn arguments(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Value::Object(object),
        _ if text.trim().is_empty() => Value::Object(Map::new()),
        _ => json!({ "unreadable_arguments": text }),
    }
}
