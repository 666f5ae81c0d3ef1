//! Fields that several forms have under different names.

use crate::gateway::refusal::Refusal;
use crate::gateway::request::{AnswerFormat, GatewayRequest, ServedModel};
use koab_core::say;
use koab_core::tool::ToolSpec;
use koab_engine::ports::Usage;
use serde_json::{Map, Value, json};

/// The body's fields.
///
/// # Errors
/// When the body is no object.
pub(super) fn body(body: &Value) -> Result<&Map<String, Value>, Refusal> {
    body.as_object().ok_or_else(|| Refusal::new(400, "invalid_json", "the body is not a JSON object"))
}

fn model(value: Option<&Value>, served: &ServedModel) -> Result<(), Refusal> {
    match value {
        Some(Value::String(name)) => served.check(name),
        _ => Err(Refusal::field("model", "must name the model")),
    }
}

/// The fields of a body that names the model that is served, and a request of nothing yet.
///
/// # Errors
/// When it is no object, or names another model.
pub(super) fn begun<'a>(
    value: &'a Value,
    served: &ServedModel,
    max_tokens: u32,
) -> Result<(&'a Map<String, Value>, GatewayRequest), Refusal> {
    let fields = body(value)?;
    model(fields.get("model"), served)?;
    Ok((fields, GatewayRequest::new(max_tokens)))
}

/// A field that this form has and the gateway does not carry, or that nobody has heard of.
pub(super) fn unknown(place: &str) -> Refusal {
    Refusal::field(
        place,
        say!(
            "cannot be carried to every model, so this gateway refuses it rather than leave it out; take it out of the request"
        ),
    )
}

/// A list.
///
/// # Errors
/// When it is none.
pub(super) fn list<'a>(place: &str, value: &'a Value) -> Result<&'a Vec<Value>, Refusal> {
    value.as_array().ok_or_else(|| Refusal::field(place, say!("must be a list")))
}

/// An object.
///
/// # Errors
/// When it is none.
pub(super) fn object<'a>(place: &str, value: &'a Value) -> Result<&'a Map<String, Value>, Refusal> {
    value.as_object().ok_or_else(|| Refusal::field(place, "is not an object"))
}

/// A text.
///
/// # Errors
/// When it is none.
pub(super) fn text<'a>(place: &str, value: Option<&'a Value>) -> Result<&'a str, Refusal> {
    value.and_then(Value::as_str).ok_or_else(|| Refusal::field(place, "must be a text"))
}

/// Sampling temperature.
///
/// # Errors
/// When it is none.
pub(super) fn temperature(asked: &mut GatewayRequest, place: &str, value: &Value) -> Result<(), Refusal> {
    let sound = value.as_f64().filter(|value| (0.0..=2.0).contains(value));
    asked.temperature = sound.ok_or_else(|| Refusal::field(place, say!("must be a number from 0 to 2")))?;
    Ok(())
}

/// Sampling seed.
///
/// # Errors
/// When it is none.
pub(super) fn seed(asked: &mut GatewayRequest, place: &str, value: &Value) -> Result<(), Refusal> {
    let sound = value.as_u64();
    asked.seed =
        Some(sound.ok_or_else(|| Refusal::field(place, say!("must be a whole number of 0 or more")))?);
    Ok(())
}

/// Output tokens at most. Two fields that say so must say the same.
///
/// # Errors
/// When it is no such number, or differs from the other.
pub(super) fn limit(asked: &mut GatewayRequest, place: &str, value: &Value) -> Result<(), Refusal> {
    let limit = value.as_u64().and_then(|limit| u32::try_from(limit).ok());
    let limit = limit
        .filter(|limit| *limit > 0)
        .ok_or_else(|| Refusal::field(place, say!("must be a whole number above 0")))?;
    if let Some(other) = &asked.limited_by
        && asked.max_tokens != limit
    {
        let why = format!("differs from {other}; give one of them");
        return Err(Refusal::field(place, why));
    }
    asked.max_tokens = limit;
    asked.limited_by = Some(place.to_owned());
    Ok(())
}

/// Reasoning effort by its name.
///
/// # Errors
/// When models do not have it.
pub(super) fn effort(asked: &mut GatewayRequest, place: &str, value: &Value) -> Result<(), Refusal> {
    let sound = value.as_str().filter(|value| ["low", "medium", "high"].contains(value));
    let refused = || Refusal::field(place, "can be `low`, `medium` or `high` here");
    asked.effort = Some(sound.ok_or_else(refused)?.to_owned());
    Ok(())
}

/// Reasoning effort by the tokens it may take. 0 is none, and below that the model's own choice.
///
/// # Errors
/// When it is no whole number.
pub(super) fn thinking_budget(asked: &mut GatewayRequest, place: &str, value: &Value) -> Result<(), Refusal> {
    let tokens = value.as_i64().ok_or_else(|| Refusal::field(place, "must be a whole number"))?;
    asked.effort = match tokens {
        ..=0 => None,
        1..4096 => Some("low".to_owned()),
        4096..16_384 => Some("medium".to_owned()),
        _ => Some("high".to_owned()),
    };
    Ok(())
}

/// Texts at which the answer ends, so many at most; one may stand alone.
///
/// # Errors
/// When it is no such list.
pub(super) fn stops(
    asked: &mut GatewayRequest,
    place: &str,
    value: &Value,
    most: usize,
) -> Result<(), Refusal> {
    let list = match value {
        Value::Array(list) => list.as_slice(),
        one => std::slice::from_ref(one),
    };
    let texts: Option<Vec<String>> =
        list.iter().map(|stop| stop.as_str().filter(|stop| !stop.is_empty()).map(str::to_owned)).collect();
    asked.stop = texts.filter(|texts| texts.len() <= most).ok_or_else(|| match most {
        usize::MAX => Refusal::field(place, "must be a list of texts, none of them empty"),
        most => Refusal::field(place, say!("must be a text or up to {most} texts, none of them empty")),
    })?;
    Ok(())
}

/// A function that is offered, without its parameters yet.
///
/// # Errors
/// When it has no name.
pub(super) fn function(place: &str, name: Option<&Value>) -> Result<ToolSpec, Refusal> {
    match name.and_then(Value::as_str).filter(|name| !name.is_empty()) {
        Some(name) => Ok(ToolSpec {
            name: name.to_owned(),
            description: String::new(),
            parameters: json!({"type": "object", "properties": {}}),
        }),
        None => Err(Refusal::field(&format!("{place}.name"), say!("is missing"))),
    }
}

/// Offers a function by its fields; `parameters` is the name that the form has for its schema.
/// `other` says of a field of the form's own whether its value may stand there.
///
/// # Errors
/// When it has no name, or a field that is not carried.
pub(super) fn offer(
    asked: &mut GatewayRequest,
    place: &str,
    parameters: &str,
    function: &Map<String, Value>,
    mut other: impl FnMut(&mut GatewayRequest, &str, &Value) -> bool,
) -> Result<ToolSpec, Refusal> {
    let mut spec = self::function(place, function.get("name"))?;
    for (name, value) in function.iter().filter(|(_, value)| !value.is_null()) {
        match (name.as_str(), value) {
            ("name", _) => {}
            ("description", Value::String(text)) => spec.description.clone_from(text),
            (name, Value::Object(_)) if name == parameters => spec.parameters = value.clone(),
            ("strict", Value::Bool(_)) => {}
            (name, value) if other(asked, name, value) => {}
            _ => {
                let place = format!("{place}.{name}");
                return Err(Refusal::field(&place, "is not of a form that is carried"));
            }
        }
    }
    Ok(spec)
}

/// How the answer to a body is told that says so by `stream`, with its tokens at the end.
pub(super) fn format(body: &Value) -> AnswerFormat {
    AnswerFormat { stream: body["stream"] == true, usage: true, array: false }
}

/// A part of a message that is not text.
pub(super) fn no_text(place: &str) -> Refusal {
    Refusal::field(place, say!("must be `text`; images, sound and files are not carried"))
}

/// A call's arguments as an object; what is none is empty, and the answer says so ([`is_object`]).
pub(super) fn arguments(text: &str) -> Value {
    serde_json::from_str(text).ok().filter(Value::is_object).unwrap_or_else(|| json!({}))
}

/// Whether a call's arguments are an object, or nothing at all.
pub(super) fn is_object(text: &str) -> bool {
    text.is_empty() || serde_json::from_str::<Map<String, Value>>(text).is_ok()
}

/// A text of an answer; empty where there is none.
pub(super) fn text_or_empty(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Tokens of an answer by the names that its form has for them.
pub(super) fn usage(value: &Value, prompt: &str, completion: &str) -> Option<Usage> {
    let (prompt_tokens, completion_tokens) = (value[prompt].as_u64()?, value[completion].as_u64()?);
    Some(Usage {
        prompt_tokens,
        completion_tokens,
        total_tokens: prompt_tokens.saturating_add(completion_tokens),
    })
}
