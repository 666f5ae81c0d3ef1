//! Model replies in the form of Responses' "response object".

use super::names::{self, OfferedTool};
use crate::forms::empty::nothing;
use crate::forms::fields::{arguments, text_or_empty, usage};
use crate::forms::label::Label;
use koab_engine::ports::{FinishReason, ModelReply, RequestedCall};
use serde_json::{Value, json};

/// Response object of a model reply. Fields of the request that clients expect in the response are
/// copied from `body`.
pub(in crate::forms) fn response(reply: &ModelReply, label: &Label, body: &Value) -> Value {
    let (status, incomplete) = match &reply.finish {
        FinishReason::Length => ("incomplete", Some("max_output_tokens")),
        FinishReason::ContentFilter => ("incomplete", Some("content_filter")),
        _ => ("completed", None),
    };
    let message = (!reply.content.is_empty()).then(|| {
        json!({
            "type": "message",
            "id": format!("msg_{}", label.id),
            "status": status,
            "role": "assistant",
            "content": [{"type": "output_text", "text": reply.content, "annotations": [], "logprobs": []}],
        })
    });
    let calls = reply.calls.iter().enumerate();
    let calls = calls.map(|(at, made)| call(made, &format!("fc_{}_{at}", label.id), body));
    let output: Vec<Value> = message.into_iter().chain(calls).collect();
    let usage = reply.usage.map(|usage| {
        json!({
            "input_tokens": usage.prompt_tokens,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": usage.completion_tokens,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": usage.total_tokens,
        })
    });
    let from_request = |name: &str, otherwise: Value| match body.get(name) {
        None | Some(Value::Null) => otherwise,
        Some(value) => value.clone(),
    };
    json!({
        "id": format!("resp_{}", label.id),
        "object": "response",
        "created_at": label.created,
        "status": status,
        "background": false,
        "error": null,
        "incomplete_details": incomplete.map(|reason| json!({"reason": reason})),
        "instructions": from_request("instructions", Value::Null),
        "max_output_tokens": from_request("max_output_tokens", Value::Null),
        "model": label.model,
        "output": output,
        "parallel_tool_calls": from_request("parallel_tool_calls", true.into()),
        "previous_response_id": null,
        "reasoning": from_request("reasoning", json!({"effort": null, "summary": null})),
        "store": false,
        "temperature": from_request("temperature", Value::Null),
        "text": from_request("text", json!({"format": {"type": "text"}})),
        "tool_choice": from_request("tool_choice", "auto".into()),
        "tools": from_request("tools", json!([])),
        "top_p": from_request("top_p", Value::Null),
        "truncation": "disabled",
        "usage": usage,
        "user": null,
        "metadata": from_request("metadata", json!({})),
    })
}

fn call(made: &RequestedCall, id: &str, body: &Value) -> Value {
    let RequestedCall { id: call_id, name, arguments: written } = made;
    let tool = names::offered(body, name).unwrap_or_else(|| OfferedTool {
        namespace: None,
        name: name.clone(),
        custom: false,
    });
    let mut item = if tool.custom {
        let input = arguments(written);
        // Arguments that are not an object with `input` are given unchanged: the tool's input may
        // be any text.
        let input = input["input"].as_str().unwrap_or(written);
        json!({
            "type": "custom_tool_call", "id": id, "call_id": call_id, "name": tool.name, "input": input,
            "status": "completed",
        })
    } else {
        json!({
            "type": "function_call", "id": id, "call_id": call_id, "name": tool.name, "arguments": written,
            "status": "completed",
        })
    };
    if let Some(namespace) = tool.namespace {
        item["namespace"] = namespace.into();
    }
    item
}

/// Model reply that a response represents.
pub(in crate::forms) fn reply(answer: &Value) -> ModelReply {
    let mut reply = ModelReply {
        usage: usage(&answer["usage"], "input_tokens", "output_tokens"),
        finish: match answer["incomplete_details"]["reason"].as_str() {
            Some("max_output_tokens") => FinishReason::Length,
            Some("content_filter") => FinishReason::ContentFilter,
            _ => FinishReason::Stop,
        },
        ..nothing()
    };
    for item in answer["output"].as_array().into_iter().flatten() {
        let arguments = match item["type"].as_str() {
            Some("message") => {
                let parts = item["content"].as_array().into_iter().flatten();
                reply.content.extend(parts.map(|part| text_or_empty(&part["text"])));
                continue;
            }
            Some("custom_tool_call") => json!({"input": item["input"]}).to_string(),
            _ => text_or_empty(&item["arguments"]),
        };
        reply.calls.push(RequestedCall {
            id: text_or_empty(&item["call_id"]),
            name: names::upstream(item["namespace"].as_str(), &text_or_empty(&item["name"])),
            arguments,
        });
    }
    reply
}
