//! Readers of fields that several forms have under different names.

use crate::refusal::Refusal;
use crate::request::{AnswerFormat, GatewayRequest, ServedModel};
use koab_core::say;
use koab_core::tool::ToolSpec;
use koab_engine::ports::Usage;
use serde_json::{Map, Value, json};

/// Fields of a request's body.
///
/// # Errors
/// When the body is not an object.
pub(super) fn body(body: &Value) -> Result<&Map<String, Value>, Refusal> {
    body.as_object().ok_or_else(|| Refusal::new(400, "invalid_json", "the body is not a JSON object"))
}

fn model(value: Option<&Value>, served: &ServedModel) -> Result<(), Refusal> {
    match value {
        Some(Value::String(name)) => served.check(name),
        _ => Err(Refusal::field("model", "must name the model")),
    }
}

/// Checks that a body names the served model. Returns its fields and an empty request.
///
/// # Errors
/// When the body is not an object, or names another model.
pub(super) fn start_request<'a>(
    value: &'a Value,
    served: &ServedModel,
    max_tokens: u32,
) -> Result<(&'a Map<String, Value>, GatewayRequest), Refusal> {
    let fields = body(value)?;
    model(fields.get("model"), served)?;
    Ok((fields, GatewayRequest::new(max_tokens)))
}

/// Refusal of a field that is unknown or that the gateway does not forward.
pub(super) fn unknown(place: &str) -> Refusal {
    Refusal::field(
        place,
        say!(
            "cannot be carried to every model, so this gateway refuses it rather than leave it out; take it out of the request"
        ),
    )
}

/// Reads a list.
///
/// # Errors
/// When the value is not a list.
pub(super) fn list<'a>(place: &str, value: &'a Value) -> Result<&'a Vec<Value>, Refusal> {
    value.as_array().ok_or_else(|| Refusal::field(place, say!("must be a list")))
}

/// Reads an object.
///
/// # Errors
/// When the value is not an object.
pub(super) fn object<'a>(place: &str, value: &'a Value) -> Result<&'a Map<String, Value>, Refusal> {
    value.as_object().ok_or_else(|| Refusal::field(place, "is not an object"))
}

/// Reads a text.
///
/// # Errors
/// When the value is not a text.
pub(super) fn text<'a>(place: &str, value: Option<&'a Value>) -> Result<&'a str, Refusal> {
    value.and_then(Value::as_str).ok_or_else(|| Refusal::field(place, "must be a text"))
}

/// Reads the sampling temperature.
///
/// # Errors
/// When the value is not a number from 0 to 2.
pub(super) fn temperature(request: &mut GatewayRequest, place: &str, value: &Value) -> Result<(), Refusal> {
    let sound = value.as_f64().filter(|value| (0.0..=2.0).contains(value));
    request.temperature = sound.ok_or_else(|| Refusal::field(place, say!("must be a number from 0 to 2")))?;
    Ok(())
}

/// Reads the sampling seed.
///
/// # Errors
/// When the value is not a whole number of 0 or more.
pub(super) fn seed(request: &mut GatewayRequest, place: &str, value: &Value) -> Result<(), Refusal> {
    let sound = value.as_u64();
    request.seed =
        Some(sound.ok_or_else(|| Refusal::field(place, say!("must be a whole number of 0 or more")))?);
    Ok(())
}

/// Reads the maximum of output tokens. Two fields that name it must agree.
///
/// # Errors
/// When the value is not a whole number above 0, or differs from the other field.
pub(super) fn limit(request: &mut GatewayRequest, place: &str, value: &Value) -> Result<(), Refusal> {
    let limit = value.as_u64().and_then(|limit| u32::try_from(limit).ok());
    let limit = limit
        .filter(|limit| *limit > 0)
        .ok_or_else(|| Refusal::field(place, say!("must be a whole number above 0")))?;
    if let Some(other) = &request.limited_by
        && request.max_tokens != limit
    {
        let why = format!("differs from {other}; give one of them");
        return Err(Refusal::field(place, why));
    }
    request.max_tokens = limit;
    request.limited_by = Some(place.to_owned());
    Ok(())
}

/// Reads the reasoning effort by its name.
///
/// # Errors
/// When the value is not `low`, `medium` or `high`.
pub(super) fn effort(request: &mut GatewayRequest, place: &str, value: &Value) -> Result<(), Refusal> {
    let sound = value.as_str().filter(|value| ["low", "medium", "high"].contains(value));
    let refusal = || Refusal::field(place, "can be `low`, `medium` or `high` here");
    request.effort = Some(sound.ok_or_else(refusal)?.to_owned());
    Ok(())
}

/// Reads the reasoning effort from a number of tokens. 0 means none; a negative number means the
/// model's own choice.
///
/// # Errors
/// When the value is not a whole number.
pub(super) fn thinking_budget(
    request: &mut GatewayRequest,
    place: &str,
    value: &Value,
) -> Result<(), Refusal> {
    let tokens = value.as_i64().ok_or_else(|| Refusal::field(place, "must be a whole number"))?;
    request.effort = match tokens {
        ..=0 => None,
        1..4096 => Some("low".to_owned()),
        4096..16_384 => Some("medium".to_owned()),
        _ => Some("high".to_owned()),
    };
    Ok(())
}

/// Reads up to `most` stop sequences: a list, or one text.
///
/// # Errors
/// When the value is neither a list nor a text, a sequence is empty, or there are too many
/// sequences.
pub(super) fn stops(
    request: &mut GatewayRequest,
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
    request.stop = texts.filter(|texts| texts.len() <= most).ok_or_else(|| match most {
        usize::MAX => Refusal::field(place, "must be a list of texts, none of them empty"),
        most => Refusal::field(place, say!("must be a text or up to {most} texts, none of them empty")),
    })?;
    Ok(())
}

/// Reads the name of an offered function. The returned function has no parameters yet.
///
/// # Errors
/// When the function has no name.
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

/// Reads an offered function. `parameters` is the name of the field with its schema in this form.
///
/// `other` decides whether the value of a field that only this form has is accepted.
///
/// # Errors
/// When the function has no name, or a field that is not forwarded.
pub(super) fn offer(
    request: &mut GatewayRequest,
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
            (name, value) if other(request, name, value) => {}
            _ => {
                let place = format!("{place}.{name}");
                return Err(Refusal::field(&place, "is not of a form that is carried"));
            }
        }
    }
    Ok(spec)
}

/// Format of the answer, for forms whose request has a field `stream`. A stream ends with an event
/// that reports its tokens.
pub(super) fn format(body: &Value) -> AnswerFormat {
    AnswerFormat { stream: body["stream"] == true, usage: true, array: false }
}

/// Refusal of a part of a message that is not text.
pub(super) fn no_text(place: &str) -> Refusal {
    Refusal::field(place, say!("must be `text`; images, sound and files are not carried"))
}

/// Arguments of a call as an object. Arguments that are not an object become an empty object;
/// [`is_object`] lets the answer report that.
pub(super) fn arguments(text: &str) -> Value {
    serde_json::from_str(text).ok().filter(Value::is_object).unwrap_or_else(|| json!({}))
}

/// Whether a call's arguments are an object or empty.
pub(super) fn is_object(text: &str) -> bool {
    text.is_empty() || serde_json::from_str::<Map<String, Value>>(text).is_ok()
}

/// Text of an answer's field; empty when the field is missing.
pub(super) fn text_or_empty(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Number of tokens of an answer. `prompt` and `completion` are the names of the fields; `None` if
/// one is missing.
pub(super) fn usage(value: &Value, prompt: &str, completion: &str) -> Option<Usage> {
    let (prompt_tokens, completion_tokens) = (value[prompt].as_u64()?, value[completion].as_u64()?);
    Some(Usage {
        prompt_tokens,
        completion_tokens,
        total_tokens: prompt_tokens.saturating_add(completion_tokens),
    })
}
