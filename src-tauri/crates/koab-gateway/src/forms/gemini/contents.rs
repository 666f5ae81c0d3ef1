//! Reads the conversation of a request.
//!
//! Calls often have no id; their answers are then matched by name and order.
//!
//! Clients send the model's text back in the pieces that were streamed. Signatures of thoughts are
//! not read from the request but restored from the trial's turn cache.

use super::keys::{fields as entries, get};
use crate::forms::fields;
use crate::refusal::Refusal;
use crate::request::GatewayRequest;
use koab_engine::ports::{Message, RequestedCall};
use serde_json::Value;

/// Id and name of each call that has no answer yet.
type Open = Vec<(String, String)>;

/// Reads `contents`.
///
/// # Errors
/// When a field is invalid or cannot be forwarded; the first such field is named.
pub(super) fn read(request: &mut GatewayRequest, contents: &Value) -> Result<(), Refusal> {
    let mut open = Open::new();
    for (at, content) in fields::list("contents", contents)?.iter().enumerate() {
        let place = format!("contents[{at}]");
        let parts = parts(&place, content)?;
        match get(content, "role").as_str() {
            None | Some("user" | "function" | "tool") => user(request, &parts, &mut open)?,
            Some("model") => model(request, at, &parts, &mut open)?,
            _ => return Err(Refusal::field(&format!("{place}.role"), "must be user or model")),
        }
    }
    Ok(())
}

/// Text of the system instruction. Its role is ignored.
///
/// # Errors
/// When a part is not text.
pub(super) fn system(place: &str, content: &Value) -> Result<String, Refusal> {
    if let Some(text) = content.as_str() {
        return Ok(text.to_owned());
    }
    let mut texts = Vec::new();
    for (place, part) in parts(place, content)? {
        match read_part(&place, part)? {
            Part::Text(text) => texts.push(text),
            _ => return Err(fields::no_text(&place)),
        }
    }
    Ok(texts.join("\n\n"))
}

/// Content of a part.
enum Part<'a> {
    Text(&'a str),
    Call(&'a Value),
    Answer(&'a Value),
    /// The part is a thought, or has no content.
    Nothing,
}

fn parts<'a>(place: &str, content: &'a Value) -> Result<Vec<(String, &'a Value)>, Refusal> {
    fields::object(place, content)?;
    let place = format!("{place}.parts");
    let parts = fields::list(&place, get(content, "parts"))?;
    let placed = |(at, part)| (format!("{place}[{at}]"), part);
    Ok(parts.iter().enumerate().map(placed).collect())
}

fn read_part<'a>(place: &str, part: &'a Value) -> Result<Part<'a>, Refusal> {
    let mut read = Part::Nothing;
    for (name, value) in entries(fields::object(place, part)?) {
        match name.as_str() {
            "text" => read = Part::Text(fields::text(&format!("{place}.text"), Some(value))?),
            "functionCall" => read = Part::Call(value),
            "functionResponse" => read = Part::Answer(value),
            "thought" | "thoughtSignature" => {}
            _ => return Err(fields::no_text(&format!("{place}.{name}"))),
        }
    }
    if part["thought"] == true {
        return Ok(Part::Nothing);
    }
    Ok(read)
}

fn user(request: &mut GatewayRequest, parts: &[(String, &Value)], open: &mut Open) -> Result<(), Refusal> {
    let (mut texts, mut answers) = (Vec::new(), false);
    for (place, part) in parts {
        match read_part(place, part)? {
            Part::Text(text) => texts.push(text),
            Part::Nothing => {}
            Part::Call(_) => return Err(Refusal::field(place, "is a call, which only the model makes")),
            Part::Answer(answer) => {
                answers = true;
                let call_id = answered_call(place, answer, open)?;
                let content = content(&format!("{place}.functionResponse"), answer)?;
                request.messages.push(Message::Tool { call_id, content });
            }
        }
    }
    if !texts.is_empty() || !answers {
        request.messages.push(Message::User(texts.join("\n\n")));
    }
    Ok(())
}

/// Id of the call that a tool's answer belongs to.
fn answered_call(place: &str, answer: &Value, open: &mut Open) -> Result<String, Refusal> {
    let name = fields::text(&format!("{place}.functionResponse.name"), answer.get("name"))?;
    let id = answer["id"].as_str().filter(|id| !id.is_empty());
    let with_id = id.and_then(|id| open.iter().position(|(call, _)| call == id));
    let at = with_id.or_else(|| open.iter().position(|(_, called)| called == name));
    match at {
        Some(at) => Ok(open.remove(at).0),
        None => Err(Refusal::field(&format!("{place}.functionResponse"), "answers no call before it")),
    }
}

/// Text of a tool's answer: its only field, if that is a text named `result` or `output`, otherwise
/// the whole answer as JSON.
fn content(place: &str, answer: &Value) -> Result<String, Refusal> {
    if let Some((name, _)) = fields::object(place, answer)?
        .iter()
        .find(|(name, value)| *name == "parts" && value.as_array().is_some_and(|parts| !parts.is_empty()))
    {
        return Err(fields::no_text(&format!("{place}.{name}")));
    }
    let response = get(answer, "response");
    let only = response.as_object().filter(|object| object.len() == 1);
    let text = only.and_then(|object| object.get("result").or_else(|| object.get("output"))?.as_str());
    Ok(match (text, response) {
        (Some(text), _) => text.to_owned(),
        (None, Value::Null) => String::new(),
        (None, response) => response.to_string(),
    })
}

fn model(
    request: &mut GatewayRequest,
    turn: usize,
    parts: &[(String, &Value)],
    open: &mut Open,
) -> Result<(), Refusal> {
    // Clients send each streamed piece back as a separate turn.
    let (mut content, mut calls) = match request.messages.pop() {
        Some(Message::Assistant { content, calls, .. }) => (content, calls),
        other => {
            request.messages.extend(other);
            (String::new(), Vec::new())
        }
    };
    for (place, part) in parts {
        match read_part(place, part)? {
            Part::Text(text) => content.push_str(text),
            Part::Nothing => {}
            Part::Answer(_) => {
                return Err(Refusal::field(place, "is an answer, which the model does not give"));
            }
            Part::Call(call) => {
                let name = fields::text(&format!("{place}.functionCall.name"), call.get("name"))?;
                let id = call["id"].as_str().filter(|id| !id.is_empty());
                let id = id.map_or_else(|| format!("call_{turn}_{}", calls.len()), str::to_owned);
                let arguments = match &call["args"] {
                    Value::Null => "{}".to_owned(),
                    args => args.to_string(),
                };
                open.push((id.clone(), name.to_owned()));
                calls.push(RequestedCall { id, name: name.to_owned(), arguments });
            }
        }
    }
    request.messages.push(Message::Assistant { content, calls, opaque: None });
    Ok(())
}
