//! Reads the conversation of a request, which is a list of items. A model's turn is a message
//! followed by its calls.

use super::names;
use crate::forms::fields;
use crate::refusal::Refusal;
use crate::request::GatewayRequest;
use koab_core::say;
use koab_engine::ports::{Message, RequestedCall};
use serde_json::{Value, json};

/// Reads `input`.
///
/// # Errors
/// When a field is invalid or cannot be forwarded; the first such field is named.
pub(super) fn read(request: &mut GatewayRequest, input: &Value) -> Result<(), Refusal> {
    let items = match input {
        Value::String(text) => {
            request.messages.push(Message::User(text.clone()));
            return Ok(());
        }
        Value::Array(items) => items,
        _ => return Err(Refusal::field("input", "must be a text or a list of items")),
    };
    for (at, item) in items.iter().enumerate() {
        let place = format!("input[{at}]");
        fields::object(&place, item)?;
        match item["type"].as_str() {
            None | Some("message") => message(request, &place, item)?,
            Some("function_call") => {
                let arguments = fields::text(&format!("{place}.arguments"), item.get("arguments"))?;
                call(request, &place, item, arguments.to_owned())?;
            }
            Some("custom_tool_call") => {
                let input = fields::text(&format!("{place}.input"), item.get("input"))?;
                call(request, &place, item, json!({"input": input}).to_string())?;
            }
            Some("function_call_output" | "custom_tool_call_output") => {
                let id = fields::text(&format!("{place}.call_id"), item.get("call_id"))?;
                let content = text(&format!("{place}.output"), &item["output"])?;
                request.messages.push(Message::Tool { call_id: id.to_owned(), content });
            }
            // Reasoning is the provider's own, and is restored from the trial's turn cache.
            Some("reasoning") => {}
            _ => {
                return Err(Refusal::field(
                    &format!("{place}.type"),
                    "is of a kind that is not carried; nothing is stored here, so items come whole",
                ));
            }
        }
    }
    Ok(())
}

fn message(request: &mut GatewayRequest, place: &str, item: &Value) -> Result<(), Refusal> {
    let content = text(&format!("{place}.content"), &item["content"])?;
    match item["role"].as_str() {
        Some("user") => request.messages.push(Message::User(content)),
        Some("system" | "developer") => request.messages.push(Message::System(content)),
        Some("assistant") => {
            request.messages.push(Message::Assistant { content, calls: Vec::new(), opaque: None })
        }
        _ => {
            return Err(Refusal::field(
                &format!("{place}.role"),
                "must be system, developer, user or assistant",
            ));
        }
    }
    Ok(())
}

/// Reads a call. It belongs to the model's turn directly before it, or starts a new turn.
fn call(request: &mut GatewayRequest, place: &str, item: &Value, arguments: String) -> Result<(), Refusal> {
    let id = fields::text(&format!("{place}.call_id"), item.get("call_id"))?;
    let name = fields::text(&format!("{place}.name"), item.get("name"))?;
    let call = RequestedCall {
        id: id.to_owned(),
        name: names::upstream(item["namespace"].as_str(), name),
        arguments,
    };
    match request.messages.last_mut() {
        Some(Message::Assistant { calls, .. }) => calls.push(call),
        _ => request.messages.push(Message::Assistant {
            content: String::new(),
            calls: vec![call],
            opaque: None,
        }),
    }
    Ok(())
}

/// Text of an item: one text, or parts that are all text.
fn text(place: &str, content: &Value) -> Result<String, Refusal> {
    let parts = match content {
        Value::String(text) => return Ok(text.clone()),
        Value::Array(parts) => parts,
        _ => {
            return Err(Refusal::field(place, say!("must be a text or a list of parts")));
        }
    };
    let mut texts = Vec::with_capacity(parts.len());
    for (at, part) in parts.iter().enumerate() {
        let value = match part["type"].as_str() {
            Some("input_text" | "output_text" | "text") => part["text"].as_str(),
            Some("refusal") => part["refusal"].as_str(),
            _ => None,
        };
        texts.push(value.ok_or_else(|| fields::no_text(&format!("{place}[{at}].type")))?);
    }
    Ok(texts.join("\n\n"))
}
