//! Reads a `GenerateContent` request.

use super::keys::{fields as entries, get};
use super::{config, contents, schema};
use crate::forms::fields;
use crate::refusal::Refusal;
use crate::request::{Choice, GatewayRequest, ServedModel};
use koab_engine::ports::Message;
use serde_json::Value;

/// Reads a request to the model that its path names. `max_tokens` is the output limit of a request
/// that names no limit.
///
/// # Errors
/// When a field is invalid or cannot be forwarded; the first such field is named.
pub(in crate::forms) fn read(
    body: &Value,
    model: &str,
    served: &ServedModel,
    max_tokens: u32,
) -> Result<GatewayRequest, Refusal> {
    served.check(model)?;
    let mut request = GatewayRequest::new(max_tokens);
    for (name, value) in entries(fields::body(body)?) {
        field(&mut request, &name, value)?;
    }
    request.need_messages("contents", "must be a list with at least one content")?;
    let system = get(body, "systemInstruction");
    if !system.is_null() {
        let text = contents::system("systemInstruction", system)?;
        request.messages.insert(0, Message::System(text));
    }
    request.settle("toolConfig.functionCallingConfig", "generationConfig.responseMimeType")
}

/// Reads a request whose tokens are to be counted. The request may be inside the field
/// `generateContentRequest`.
///
/// # Errors
/// Same as [`read`].
pub(in crate::forms) fn read_for_count(
    body: &Value,
    model: &str,
    served: &ServedModel,
) -> Result<GatewayRequest, Refusal> {
    let body = match get(body, "generateContentRequest") {
        Value::Null => body,
        inner => inner,
    };
    read(body, model, served, 1)
}

fn field(request: &mut GatewayRequest, name: &str, value: &Value) -> Result<(), Refusal> {
    match name {
        // The path names the model, and the system instruction is read later.
        "model" | "systemInstruction" => Ok(()),
        "contents" => contents::read(request, value),
        "tools" => tools(request, value),
        "toolConfig" => tool_config(request, value),
        "generationConfig" => config::read(request, value),
        "safetySettings" | "labels" | "store" | "serviceTier" => {
            request.leave_out(name);
            Ok(())
        }
        _ => Err(fields::unknown(name)),
    }
}

fn tools(request: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    for (at, tool) in fields::list("tools", value)?.iter().enumerate() {
        let place = format!("tools[{at}]");
        for (name, value) in entries(fields::object(&place, tool)?) {
            if name != "functionDeclarations" {
                // Tools that Google's own servers execute.
                request.leave_out(&place);
                continue;
            }
            let place = format!("{place}.functionDeclarations");
            for (at, function) in fields::list(&place, value)?.iter().enumerate() {
                declaration(request, &format!("{place}[{at}]"), function)?;
            }
        }
    }
    Ok(())
}

fn declaration(request: &mut GatewayRequest, place: &str, function: &Value) -> Result<(), Refusal> {
    let function = fields::object(place, function)?;
    let mut spec = fields::function(place, function.get("name"))?;
    for (name, value) in entries(function) {
        match (name.as_str(), value) {
            // The form of a tool's answer is not forwarded to models.
            ("name" | "response" | "responseJsonSchema", _) => {}
            ("description", Value::String(text)) => spec.description.clone_from(text),
            ("parameters", Value::Object(_)) => spec.parameters = schema::json_schema(value),
            ("parametersJsonSchema", Value::Object(_)) => spec.parameters = value.clone(),
            ("behavior", Value::String(kind)) if kind == "BLOCKING" || kind == "UNSPECIFIED" => {}
            _ => {
                let place = format!("{place}.{name}");
                return Err(Refusal::field(&place, "is not of a form that is carried"));
            }
        }
    }
    request.tools.push(spec);
    Ok(())
}

fn tool_config(request: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    for (name, value) in entries(fields::object("toolConfig", value)?) {
        match name.as_str() {
            "functionCallingConfig" => calling(request, value)?,
            "retrievalConfig" => request.leave_out("toolConfig.retrievalConfig"),
            _ => return Err(fields::unknown(&format!("toolConfig.{name}"))),
        }
    }
    Ok(())
}

fn calling(request: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    let place = "toolConfig.functionCallingConfig";
    let names = match get(value, "allowedFunctionNames") {
        Value::Null => None,
        names => {
            let place = format!("{place}.allowedFunctionNames");
            let names = fields::list(&place, names)?.iter();
            let names = names.map(|name| fields::text(&place, Some(name)).map(str::to_owned));
            Some(names.collect::<Result<Vec<_>, _>>()?)
        }
    };
    let names = names.filter(|names| !names.is_empty());
    request.choice = match (get(value, "mode").as_str(), names.as_deref()) {
        (Some("NONE"), _) => Choice::None,
        (Some("ANY"), Some([name])) => {
            request.choice = Choice::Named(name.clone());
            return Ok(());
        }
        (Some("ANY"), _) => Choice::Required,
        (None | Some("AUTO" | "VALIDATED" | "MODE_UNSPECIFIED"), _) => Choice::Auto,
        _ => {
            return Err(Refusal::field(&format!("{place}.mode"), "must be AUTO, ANY, NONE or VALIDATED"));
        }
    };
    request.allowed = names;
    Ok(())
}
