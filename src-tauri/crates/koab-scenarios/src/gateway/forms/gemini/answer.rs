//! A model's reply as a "`GenerateContentResponse`".

use crate::gateway::forms::fields::{arguments, is_object};
use crate::gateway::forms::label::Label;
use koab_engine::ports::{FinishReason, ModelReply};
use serde_json::{Value, json};

/// The answer's object.
pub(in crate::gateway::forms) fn response(reply: &ModelReply, label: &Label) -> Value {
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
