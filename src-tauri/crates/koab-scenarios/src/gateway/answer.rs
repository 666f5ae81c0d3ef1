//! A model's reply as OpenAI's Chat Completions writes it, whole or as server-sent events.
//!
//! Events are made of the whole answer: the engine's port gives replies in one piece, and a recorded answer can then be
//! told in the same way. Source: OpenAI API reference, "The chat completion object" and "chat completion chunk object".

use super::refusal::Refusal;
use super::request::{GatewayRequest, Manner};
use koab_core::record::TokenUsage;
use koab_engine::ports::{FinishReason, ModelReply, RequestedCall};
use serde_json::{Value, json};

/// The answer's object. `id` must differ from that of other answers; `created` is in seconds since 1970.
pub(super) fn completion(reply: &ModelReply, model: &str, id: &str, created: u64) -> Value {
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
        "id": id,
        "object": "chat.completion",
        "created": created,
        "model": model,
        "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": finish}],
        "usage": reply.usage.map(TokenUsage::from),
    })
}

/// The same as events.
pub(super) fn events(completion: &Value, manner: Manner) -> String {
    let choice = &completion["choices"][0];
    let message = &choice["message"];
    let mut deltas = vec![(json!({"role": "assistant", "content": ""}), Value::Null)];
    if message["content"].as_str().is_some_and(|text| !text.is_empty()) {
        deltas.push((json!({"content": message["content"]}), Value::Null));
    }
    for (at, call) in message["tool_calls"].as_array().into_iter().flatten().enumerate() {
        let mut call = call.clone();
        call["index"] = at.into();
        deltas.push((json!({"tool_calls": [call]}), Value::Null));
    }
    deltas.push((json!({}), choice["finish_reason"].clone()));
    let chunk = |choices: Value, usage: Option<&Value>| {
        let mut chunk = json!({
            "id": completion["id"],
            "object": "chat.completion.chunk",
            "created": completion["created"],
            "model": completion["model"],
            "choices": choices,
        });
        if let Some(usage) = usage {
            chunk["usage"] = usage.clone();
        }
        format!("data: {chunk}\n\n")
    };
    // With usage asked for, every chunk has the field and only the last has it filled.
    let none = manner.usage.then_some(&Value::Null);
    let mut text: String = deltas
        .into_iter()
        .map(|(delta, finish)| {
            let choice = json!({"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish});
            chunk(json!([choice]), none)
        })
        .collect();
    if manner.usage {
        text += &chunk(json!([]), Some(&completion["usage"]));
    }
    text + "data: [DONE]\n\n"
}

/// Ends the text at the first of the stop sequences, as a server that knows them would have: what the model wrote behind
/// it, calls included, was never there. Its tokens are still paid for.
pub(super) fn cut(reply: &mut ModelReply, stop: &[String]) {
    let at = stop
        .iter()
        .filter_map(|stop| reply.content.find(stop.as_str()))
        .min();
    if let Some(at) = at {
        reply.content.truncate(at);
        reply.calls.clear();
        reply.opaque = None;
        reply.finish = FinishReason::Stop;
    }
}

/// Compares an answer with the strict forms that were asked for, which not every server keeps.
///
/// # Errors
/// What is not as it was asked for.
pub(super) fn keeps_forms(asked: &GatewayRequest, reply: &ModelReply) -> Result<(), Refusal> {
    // An answer that was cut off or withheld says so itself.
    if matches!(reply.finish, FinishReason::Length | FinishReason::ContentFilter) {
        return Ok(());
    }
    let broken = |what: String, why: String| {
        let message = format!("the model's {what} has not the strict form that was asked for: {why}");
        Err(Refusal::new(502, "form_not_kept", message))
    };
    if let Some(form) = asked.form.as_ref().filter(|form| form.strict)
        && let Some(why) = fault(&form.schema, &reply.content)
    {
        return broken("answer".to_owned(), why);
    }
    for call in reply
        .calls
        .iter()
        .filter(|call| asked.strict_tools.contains(&call.name))
    {
        let tool = asked.tools.iter().find(|tool| tool.name == call.name);
        if let Some(why) = tool.and_then(|tool| fault(&tool.parameters, &call.arguments)) {
            return broken(format!("call of {}", call.name), why);
        }
    }
    Ok(())
}

/// Why a text is not JSON of this schema.
fn fault(schema: &Value, text: &str) -> Option<String> {
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => return Some(format!("it is not JSON ({error})")),
    };
    match jsonschema::validator_for(schema) {
        Ok(validator) => validator.validate(&value).err().map(|error| error.to_string()),
        Err(error) => Some(format!("the schema itself cannot be read ({error})")),
    }
}
