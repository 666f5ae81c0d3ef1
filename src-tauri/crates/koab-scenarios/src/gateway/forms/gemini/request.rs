//! Reads "`GenerateContent`".

use super::keys::{fields as entries, get};
use super::{config, contents, schema};
use crate::gateway::forms::fields;
use crate::gateway::refusal::Refusal;
use crate::gateway::request::{Choice, GatewayRequest, ServedModel};
use koab_engine::ports::Message;
use serde_json::Value;

/// Reads a request to the model that its path names. `max_tokens` counts where it names none.
///
/// # Errors
/// The first field that makes no sense or cannot be carried.
pub(in crate::gateway::forms) fn read(
    body: &Value,
    model: &str,
    served: &ServedModel,
    max_tokens: u32,
) -> Result<GatewayRequest, Refusal> {
    served.check(model)?;
    let mut asked = GatewayRequest::new(max_tokens);
    for (name, value) in entries(fields::body(body)?) {
        field(&mut asked, &name, value)?;
    }
    asked.need_messages("contents", "must be a list with at least one content")?;
    let system = get(body, "systemInstruction");
    if !system.is_null() {
        let text = contents::system("systemInstruction", system)?;
        asked.messages.insert(0, Message::System(text));
    }
    asked.settle("toolConfig.functionCallingConfig", "generationConfig.responseMimeType")
}

/// Reads a request whose tokens are to be counted; it may stand in a field of its own.
///
/// # Errors
/// As [`read`].
pub(in crate::gateway::forms) fn read_for_count(
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

fn field(asked: &mut GatewayRequest, name: &str, value: &Value) -> Result<(), Refusal> {
    match name {
        // The path has named it.
        "model" | "systemInstruction" => Ok(()),
        "contents" => contents::read(asked, value),
        "tools" => tools(asked, value),
        "toolConfig" => tool_config(asked, value),
        "generationConfig" => config::read(asked, value),
        "safetySettings" | "labels" | "store" | "serviceTier" => {
            asked.leave_out(name);
            Ok(())
        }
        _ => Err(fields::unknown(name)),
    }
}

fn tools(asked: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    for (at, tool) in fields::list("tools", value)?.iter().enumerate() {
        let place = format!("tools[{at}]");
        for (name, value) in entries(fields::object(&place, tool)?) {
            if name != "functionDeclarations" {
                // Tools that Google's own servers carry out.
                asked.leave_out(&place);
                continue;
            }
            let place = format!("{place}.functionDeclarations");
            for (at, function) in fields::list(&place, value)?.iter().enumerate() {
                declaration(asked, &format!("{place}[{at}]"), function)?;
            }
        }
    }
    Ok(())
}

fn declaration(asked: &mut GatewayRequest, place: &str, function: &Value) -> Result<(), Refusal> {
    let function = fields::object(place, function)?;
    let mut spec = fields::function(place, function.get("name"))?;
    for (name, value) in entries(function) {
        match (name.as_str(), value) {
            // What a tool answers is seen when it does.
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
    asked.tools.push(spec);
    Ok(())
}

fn tool_config(asked: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    for (name, value) in entries(fields::object("toolConfig", value)?) {
        match name.as_str() {
            "functionCallingConfig" => calling(asked, value)?,
            "retrievalConfig" => asked.leave_out("toolConfig.retrievalConfig"),
            _ => return Err(fields::unknown(&format!("toolConfig.{name}"))),
        }
    }
    Ok(())
}

fn calling(asked: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
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
    asked.choice = match (get(value, "mode").as_str(), names.as_deref()) {
        (Some("NONE"), _) => Choice::None,
        (Some("ANY"), Some([name])) => {
            asked.choice = Choice::Named(name.clone());
            return Ok(());
        }
        (Some("ANY"), _) => Choice::Required,
        (None | Some("AUTO" | "VALIDATED" | "MODE_UNSPECIFIED"), _) => Choice::Auto,
        _ => {
            return Err(Refusal::field(&format!("{place}.mode"), "must be AUTO, ANY, NONE or VALIDATED"));
        }
    };
    asked.allowed = names;
    Ok(())
}
