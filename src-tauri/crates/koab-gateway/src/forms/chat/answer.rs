//! Model replies in the form of Chat's "chat completion object".

use crate::forms::empty::nothing;
use crate::forms::fields::{text_or_empty, usage};
use crate::forms::label::Label;
use koab_core::run_record::TokenUsage;
use koab_engine::ports::{FinishReason, ModelReply, RequestedCall};
use serde_json::{Value, json};

/// Chat completion object of a model reply.
pub(in crate::forms) fn completion(reply: &ModelReply, label: &Label) -> Value {
    let calls: Vec<Value> = reply
        .calls
        .iter()
        .map(|RequestedCall { id, name, arguments }| {
            json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
        })
        .collect();
    let content = match (reply.content.as_str(), calls.is_empty()) {
        ("", false) => Value::Null,
        (text, _) => text.into(),
    };
    let mut message = json!({"role": "assistant", "content": content, "refusal": null});
    let finish = match &reply.finish {
        FinishReason::Length => "length",
        FinishReason::ContentFilter => "content_filter",
        _ if calls.is_empty() => "stop",
        _ => "tool_calls",
    };
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    json!({
        "id": format!("chatcmpl-{}", label.id),
        "object": "chat.completion",
        "created": label.created,
        "model": label.model,
        "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": finish}],
        "usage": reply.usage.map(TokenUsage::from),
    })
}

/// Model reply that a chat completion represents.
pub(in crate::forms) fn reply(answer: &Value) -> ModelReply {
    let choice = &answer["choices"][0];
    let calls = choice["message"]["tool_calls"].as_array().into_iter().flatten();
    ModelReply {
        content: text_or_empty(&choice["message"]["content"]),
        calls: calls
            .map(|call| RequestedCall {
                id: text_or_empty(&call["id"]),
                name: text_or_empty(&call["function"]["name"]),
                arguments: text_or_empty(&call["function"]["arguments"]),
            })
            .collect(),
        usage: usage(&answer["usage"], "prompt_tokens", "completion_tokens"),
        finish: match choice["finish_reason"].as_str() {
            Some("length") => FinishReason::Length,
            Some("content_filter") => FinishReason::ContentFilter,
            _ => FinishReason::Stop,
        },
        ..nothing()
    }
}
