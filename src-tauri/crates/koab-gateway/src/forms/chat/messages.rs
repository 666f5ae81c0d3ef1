//! Reads the conversation of a request.
//!
//! The author of a user's message (`name`) is written before its text as "NAME said:". Agent
//! libraries do the same for models that do not support names.

use crate::refusal::Refusal;
use koab_core::say;
use koab_engine::ports::{Message, RequestedCall};
use serde_json::{Map, Value};

/// Path of the author's name in messages that are not from a user, for the list of fields that were
/// not forwarded.
const NAMES: &str = "messages[].name";

/// Reads `messages`.
///
/// # Errors
/// When a field is invalid or cannot be forwarded; the first such field is named.
pub(super) fn read(value: &Value, left_out: &mut Vec<String>) -> Result<Vec<Message>, Refusal> {
    let refusal = || Refusal::field("messages", say!("must be a list with at least one message"));
    let list = value.as_array().ok_or_else(refusal)?;
    let mut messages = Vec::with_capacity(list.len());
    for (at, message) in list.iter().enumerate() {
        let place = format!("messages[{at}]");
        let message = message.as_object().ok_or_else(|| Refusal::field(&place, "is not an object"))?;
        messages.push(one(&place, message, left_out)?);
    }
    Ok(messages)
}

fn one(place: &str, message: &Map<String, Value>, left_out: &mut Vec<String>) -> Result<Message, Refusal> {
    let role = message.get("role").and_then(Value::as_str).unwrap_or_default();
    let own: &[&str] = match role {
        "assistant" => &["tool_calls"],
        "tool" => &["tool_call_id"],
        "system" | "developer" | "user" => &[],
        _ => {
            let place = format!("{place}.role");
            return Err(Refusal::field(&place, say!("must be system, developer, user, assistant or tool")));
        }
    };
    let field = |name: &str| message.get(name).filter(|value| !value.is_null());
    for (name, value) in message.iter().filter(|(_, value)| !value.is_null()) {
        // Clients send an answer's message back as they received it, including its empty fields.
        let empty = value.as_array().is_some_and(Vec::is_empty);
        if !(["role", "content", "name"].contains(&name.as_str()) || own.contains(&name.as_str()) || empty) {
            let place = format!("{place}.{name}");
            return Err(Refusal::field(&place, "cannot be carried to every model; take it out"));
        }
    }
    let mut content = text(&format!("{place}.content"), field("content"))?;
    match (role, field("name").and_then(Value::as_str)) {
        (_, None) | ("user", Some("user")) => {}
        ("user", Some(name)) => content = format!("{name} said:\n{content}"),
        _ if left_out.iter().any(|field| field == NAMES) => {}
        _ => left_out.push(NAMES.to_owned()),
    }
    Ok(match role {
        "user" => Message::User(content),
        "assistant" => Message::Assistant {
            content,
            calls: calls(&format!("{place}.tool_calls"), field("tool_calls"))?,
            opaque: None,
        },
        "tool" => Message::Tool {
            call_id: match field("tool_call_id") {
                Some(Value::String(id)) => id.clone(),
                _ => {
                    return Err(Refusal::field(&format!("{place}.tool_call_id"), say!("is missing")));
                }
            },
            content,
        },
        _ => Message::System(content),
    })
}

/// Text of a message: one text, or parts that are all text.
fn text(place: &str, content: Option<&Value>) -> Result<String, Refusal> {
    match content {
        None => Ok(String::new()),
        Some(Value::String(text)) => Ok(text.clone()),
        Some(Value::Array(parts)) => {
            let mut texts = Vec::with_capacity(parts.len());
            for (at, part) in parts.iter().enumerate() {
                match (part["type"].as_str(), part["text"].as_str()) {
                    (Some("text"), Some(text)) => texts.push(text),
                    _ => {
                        let place = format!("{place}[{at}].type");
                        return Err(Refusal::field(
                            &place,
                            say!("must be `text`; images, sound and files are not carried"),
                        ));
                    }
                }
            }
            Ok(texts.join("\n\n"))
        }
        Some(_) => Err(Refusal::field(place, say!("must be a text or a list of parts"))),
    }
}

fn calls(place: &str, calls: Option<&Value>) -> Result<Vec<RequestedCall>, Refusal> {
    let list = match calls {
        None => return Ok(Vec::new()),
        Some(calls) => calls.as_array(),
    };
    let list = list.ok_or_else(|| Refusal::field(place, say!("must be a list")))?;
    let read = |(at, call): (usize, &Value)| {
        let text = |pointer: &str| call.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        match (text("/id"), text("/function/name"), text("/function/arguments")) {
            (Some(id), Some(name), Some(arguments)) => Ok(RequestedCall { id, name, arguments }),
            _ => Err(Refusal::field(
                &format!("{place}[{at}]"),
                "needs an id, and a function with name and arguments as text",
            )),
        }
    };
    list.iter().enumerate().map(read).collect()
}
