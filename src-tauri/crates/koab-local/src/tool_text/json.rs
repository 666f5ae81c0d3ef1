//! JSON within text, and calls in JSON.

use super::ReadCall;
use serde_json::{Map, Value};

/// JSON at the beginning of a text.
pub(super) enum LeadingJson {
    /// A JSON object or array, and its length in bytes.
    Value(Value, usize),
    /// JSON that is cut off by the end of the text.
    CutOff,
    /// No JSON object or array.
    Nothing,
}

/// Parses one object or array at the very beginning of a text.
pub(super) fn value_at(text: &str) -> LeadingJson {
    if !text.starts_with(['{', '[']) {
        return LeadingJson::Nothing;
    }
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    match values.next() {
        Some(Ok(value)) => LeadingJson::Value(value, values.byte_offset()),
        Some(Err(error)) if error.is_eof() => LeadingJson::CutOff,
        _ => LeadingJson::Nothing,
    }
}

/// The calls in a JSON value: one object, or an array of such objects only. `None` for any other
/// value.
pub(super) fn calls_in(value: Value, strict: bool) -> Option<Vec<ReadCall>> {
    match value {
        Value::Object(object) => Some(vec![call_in(object, strict)?]),
        Value::Array(items) if !items.is_empty() => items
            .into_iter()
            .map(|item| match item {
                Value::Object(object) => call_in(object, strict),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}

const NAMES: [&str; 2] = ["name", "tool_name"];
const ARGUMENTS: [&str; 3] = ["arguments", "parameters", "args"];

/// The call in an object. With `strict` it must have arguments: without markup, a name alone is not
/// a call.
fn call_in(mut object: Map<String, Value>, strict: bool) -> Option<ReadCall> {
    let mut wrapped = false;
    if object.get("function").is_some_and(Value::is_object)
        && let Some(Value::Object(inner)) = object.shift_remove("function")
    {
        // Arguments may be next to the function instead of inside it.
        object.extend(inner);
        wrapped = true;
    }
    let name = NAMES
        .iter()
        .find_map(|key| object.get(*key)?.as_str())
        .or_else(|| object.get("function")?.as_str())?
        .to_owned();
    let arguments = ARGUMENTS.iter().find_map(|key| object.shift_remove(*key));
    // A repeated tool description is not a call.
    let described = object.contains_key("description");
    if name.is_empty() || described || (strict && arguments.is_none()) {
        return None;
    }
    let arguments = match arguments {
        Some(Value::Object(mut schema))
            if wrapped && schema.get("properties").is_some_and(Value::is_object) =>
        {
            schema.shift_remove("properties")
        }
        arguments => arguments,
    };
    Some(ReadCall { name, arguments: arguments_text(arguments) })
}

/// Arguments as the text that the run parses. Objects become JSON; texts are unchanged, since they
/// should contain JSON.
fn arguments_text(arguments: Option<Value>) -> String {
    match arguments {
        None | Some(Value::Null) => "{}".to_owned(),
        Some(Value::String(text)) => text,
        Some(other) => other.to_string(),
    }
}

/// The call in a broken JSON object: the name, and the text at the place of the arguments.
pub(super) fn broken_call(text: &str) -> Option<ReadCall> {
    let name = NAMES.iter().find_map(|key| {
        let mut values = after_key(text, key)?;
        values.next()?.ok()?.as_str().map(ToOwned::to_owned)
    })?;
    let arguments =
        ARGUMENTS.iter().find_map(|key| Some(rest_after_key(text, key)?.trim())).unwrap_or(text.trim());
    // The closing brace belongs to the whole object, not to the arguments.
    let arguments = arguments.strip_suffix('}').unwrap_or(arguments).trim_end();
    (!name.is_empty()).then(|| ReadCall { name, arguments: arguments.to_owned() })
}

fn rest_after_key<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let quoted = format!("\"{key}\"");
    let at = text.find(&quoted)? + quoted.len();
    text.get(at..)?.trim_start().strip_prefix(':')
}

fn after_key<'t>(
    text: &'t str,
    key: &str,
) -> Option<serde_json::StreamDeserializer<'t, serde_json::de::StrRead<'t>, Value>> {
    Some(serde_json::Deserializer::from_str(rest_after_key(text, key)?).into_iter())
}
