//! Model replies in the form of Anthropic's "Message".

use crate::forms::empty::nothing;
use crate::forms::fields::{arguments, text_or_empty, usage};
use crate::forms::label::Label;
use koab_engine::ports::{FinishReason, ModelReply, RequestedCall};
use serde_json::{Value, json};

/// Anthropic message of a model reply.
pub(in crate::forms) fn message(reply: &ModelReply, label: &Label) -> Value {
    let text = (!reply.content.is_empty()).then(|| json!({"type": "text", "text": reply.content}));
    let calls = reply.calls.iter().map(|call| {
        json!({"type": "tool_use", "id": call.id, "name": call.name, "input": arguments(&call.arguments)})
    });
    let content: Vec<Value> = text.into_iter().chain(calls).collect();
    let reason = match &reply.finish {
        FinishReason::Length => "max_tokens",
        FinishReason::ContentFilter => "refusal",
        _ if label.stopped.is_some() => "stop_sequence",
        _ if reply.calls.is_empty() => "end_turn",
        _ => "tool_use",
    };
    // Clients require numbers. The record shows when the server reported none.
    let usage = reply.usage.unwrap_or_default();
    json!({
        "id": format!("msg_{}", label.id),
        "type": "message",
        "role": "assistant",
        "model": label.model,
        "content": content,
        "stop_reason": reason,
        "stop_sequence": label.stopped,
        "usage": {
            "input_tokens": usage.prompt_tokens,
            "output_tokens": usage.completion_tokens,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
        },
    })
}

/// Model reply that a message represents.
pub(in crate::forms) fn reply(answer: &Value) -> ModelReply {
    let mut reply = ModelReply {
        usage: usage(&answer["usage"], "input_tokens", "output_tokens"),
        finish: match answer["stop_reason"].as_str() {
            Some("max_tokens") => FinishReason::Length,
            Some("refusal") => FinishReason::ContentFilter,
            _ => FinishReason::Stop,
        },
        ..nothing()
    };
    for block in answer["content"].as_array().into_iter().flatten() {
        match block["type"].as_str() {
            Some("tool_use") => reply.calls.push(RequestedCall {
                id: text_or_empty(&block["id"]),
                name: text_or_empty(&block["name"]),
                arguments: block["input"].to_string(),
            }),
            _ => reply.content.push_str(&text_or_empty(&block["text"])),
        }
    }
    reply
}
