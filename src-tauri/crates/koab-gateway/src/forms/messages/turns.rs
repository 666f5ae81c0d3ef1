//! Reads the conversation of a request.
//!
//! A user's message can mix text with results of calls; the results are placed first.
//!
//! Thinking that clients send back is not read from the request but restored from the trial's turn
//! cache.

use crate::forms::fields;
use crate::refusal::Refusal;
use crate::request::GatewayRequest;
use koab_core::say;
use koab_engine::ports::{Message, RequestedCall};
use serde_json::Value;

/// Reads `messages`.
///
/// # Errors
/// When a field is invalid or cannot be forwarded; the first such field is named.
pub(super) fn read(request: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    for (at, message) in fields::list("messages", value)?.iter().enumerate() {
        let place = format!("messages[{at}]");
        fields::object(&place, message)?;
        let content = &message["content"];
        match message["role"].as_str() {
            Some("user") => user(&format!("{place}.content"), content, request)?,
            Some("assistant") => assistant(&format!("{place}.content"), content, request)?,
            Some("system") => {
                let text = text(&format!("{place}.content"), content, request)?;
                request.messages.push(Message::System(text));
            }
            _ => {
                return Err(Refusal::field(&format!("{place}.role"), "must be user, assistant or system"));
            }
        }
    }
    Ok(())
}

/// Text of a message: one text, or blocks that are all text.
///
/// # Errors
/// When a block is not text.
pub(super) fn text(place: &str, content: &Value, request: &mut GatewayRequest) -> Result<String, Refusal> {
    let mut texts = Vec::new();
    for (place, block) in blocks(place, content)? {
        texts.push(text_of(&place, block, request)?);
    }
    Ok(texts.join("\n\n"))
}

fn user(place: &str, content: &Value, request: &mut GatewayRequest) -> Result<(), Refusal> {
    let (mut texts, mut results) = (Vec::new(), false);
    for (place, block) in blocks(place, content)? {
        if block["type"] != "tool_result" {
            texts.push(text_of(&place, block, request)?);
            continue;
        }
        let id = fields::text(&format!("{place}.tool_use_id"), block.get("tool_use_id"))?;
        let result = match &block["content"] {
            Value::Null => String::new(),
            content => text(&format!("{place}.content"), content, request)?,
        };
        note_cache_control(block, request);
        results = true;
        request.messages.push(Message::Tool { call_id: id.to_owned(), content: result });
    }
    if !texts.is_empty() || !results {
        request.messages.push(Message::User(texts.join("\n\n")));
    }
    Ok(())
}

fn assistant(place: &str, content: &Value, request: &mut GatewayRequest) -> Result<(), Refusal> {
    let (mut texts, mut calls) = (Vec::new(), Vec::new());
    for (place, block) in blocks(place, content)? {
        match block["type"].as_str() {
            Some("thinking" | "redacted_thinking") => {}
            Some("tool_use") => {
                let word = |name: &str| fields::text(&format!("{place}.{name}"), block.get(name));
                fields::object(&format!("{place}.input"), &block["input"])?;
                note_cache_control(block, request);
                calls.push(RequestedCall {
                    id: word("id")?.to_owned(),
                    name: word("name")?.to_owned(),
                    arguments: block["input"].to_string(),
                });
            }
            _ => texts.push(text_of(&place, block, request)?),
        }
    }
    request.messages.push(Message::Assistant { content: texts.join("\n\n"), calls, opaque: None });
    Ok(())
}

/// Blocks with their paths; a text counts as one block.
fn blocks<'a>(place: &str, content: &'a Value) -> Result<Vec<(String, &'a Value)>, Refusal> {
    match content {
        Value::String(_) => Ok(vec![(place.to_owned(), content)]),
        Value::Array(blocks) => {
            let placed = |(at, block)| (format!("{place}[{at}]"), block);
            Ok(blocks.iter().enumerate().map(placed).collect())
        }
        _ => Err(Refusal::field(place, say!("must be a text or a list of parts"))),
    }
}

fn text_of<'a>(place: &str, block: &'a Value, request: &mut GatewayRequest) -> Result<&'a str, Refusal> {
    note_cache_control(block, request);
    match (block.as_str(), block["type"].as_str(), block["text"].as_str()) {
        (Some(text), _, _) | (None, Some("text"), Some(text)) => Ok(text),
        _ => Err(fields::no_text(&format!("{place}.type"))),
    }
}

fn note_cache_control(block: &Value, request: &mut GatewayRequest) {
    if block.get("cache_control").is_some_and(|value| !value.is_null()) {
        request.leave_out("cache_control");
    }
}
