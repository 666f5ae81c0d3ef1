//! Model replies in the form of a "`GenerateContentResponse`".

use crate::forms::empty::nothing;
use crate::forms::fields::{arguments, is_object, text_or_empty, usage};
use crate::forms::label::Label;
use koab_engine::ports::{FinishReason, ModelReply, RequestedCall};
use serde_json::{Value, json};

/// `GenerateContentResponse` of a model reply.
pub(in crate::forms) fn response(reply: &ModelReply, label: &Label) -> Value {
    let text = (!reply.content.is_empty()).then(|| json!({"text": reply.content}));
    let calls = reply.calls.iter().map(|call| {
        json!({"functionCall": {"id": call.id, "name": call.name, "args": arguments(&call.arguments)}})
    });
    let mut parts: Vec<Value> = text.into_iter().chain(calls).collect();
    if parts.is_empty() {
        parts.push(json!({"text": ""}));
    }
    let reason = match &reply.finish {
        FinishReason::Length => "MAX_TOKENS",
        FinishReason::ContentFilter => "SAFETY",
        _ if !reply.calls.iter().all(|call| is_object(&call.arguments)) => "MALFORMED_FUNCTION_CALL",
        _ => "STOP",
    };
    let usage = reply.usage.map_or_else(
        || json!({}),
        |usage| {
            json!({
                "promptTokenCount": usage.prompt_tokens,
                "candidatesTokenCount": usage.completion_tokens,
                "totalTokenCount": usage.total_tokens,
            })
        },
    );
    json!({
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": reason, "index": 0}],
        "usageMetadata": usage,
        "modelVersion": label.model,
        "responseId": label.id,
    })
}

/// Model reply that a `GenerateContentResponse` represents.
pub(in crate::forms) fn reply(answer: &Value) -> ModelReply {
    let candidate = &answer["candidates"][0];
    let mut reply = ModelReply {
        usage: usage(&answer["usageMetadata"], "promptTokenCount", "candidatesTokenCount"),
        finish: match candidate["finishReason"].as_str() {
            Some("MAX_TOKENS") => FinishReason::Length,
            Some("SAFETY") => FinishReason::ContentFilter,
            _ => FinishReason::Stop,
        },
        ..nothing()
    };
    for part in candidate["content"]["parts"].as_array().into_iter().flatten() {
        match part.get("functionCall") {
            Some(call) => reply.calls.push(RequestedCall {
                id: text_or_empty(&call["id"]),
                name: text_or_empty(&call["name"]),
                arguments: call["args"].to_string(),
            }),
            None => reply.content.push_str(&text_or_empty(&part["text"])),
        }
    }
    reply
}
