//! Reads a "Create a model response" request.

use super::{items, names};
use crate::forms::fields;
use crate::forms::openai;
use crate::forms::table::{self, Field, Table};
use crate::refusal::Refusal;
use crate::request::{GatewayRequest, ServedModel};
use koab_core::say;
use koab_engine::ports::Message;
use serde_json::{Map, Value, json};

/// Reads a request. `max_tokens` is the output limit of a request that names no limit.
///
/// # Errors
/// When a field is invalid or cannot be forwarded; the first such field is named.
pub(in crate::forms) fn read(
    body: &Value,
    served: &ServedModel,
    max_tokens: u32,
) -> Result<GatewayRequest, Refusal> {
    let (body, mut request) = fields::start_request(body, served, max_tokens)?;
    if let Some(text) = body.get("instructions").filter(|value| !value.is_null()) {
        let text = fields::text("instructions", Some(text))?;
        request.messages.push(Message::System(text.to_owned()));
    }
    table::read(&mut request, body, FIELDS)?;
    if !body.get("input").is_some_and(|input| input.is_string() || input.is_array()) {
        return Err(Refusal::field("input", "must be a text or a list of items"));
    }
    request.need_messages("input", "must hold at least one message")?;
    request.settle("tool_choice", "text.format")
}

/// Fields that only the Responses API has.
const FIELDS: &Table = &[
    ("instructions", Field::Elsewhere),
    ("background", Field::Usual(|value| value == false)),
    ("truncation", Field::Usual(|value| value == "disabled")),
    ("top_logprobs", Field::Usual(|value| value == 0)),
    ("stream_options", Field::Own(|_, _, value| openai::stream_options(value, &["include_obfuscation"]))),
    ("parallel_tool_calls", Field::SeveralCalls),
    ("input", Field::Own(|request, _, value| items::read(request, value))),
    ("tools", Field::Own(|request, _, value| tools(request, value))),
    (
        "tool_choice",
        Field::Own(|request, _, value| {
            openai::choice(request, value)?;
            rename_choice(request, value);
            Ok(())
        }),
    ),
    ("max_output_tokens", Field::Limit),
    ("reasoning", Field::Own(|request, _, value| reasoning(request, value))),
    ("text", Field::Own(|request, _, value| text(request, value))),
    ("include", Field::LeftOutUnless(|value| value.as_array().is_none_or(Vec::is_empty))),
    ("client_metadata", Field::LeftOut),
    ("prompt_cache_retention", Field::LeftOut),
    ("max_tool_calls", Field::LeftOut),
    // Nothing is stored, which is the meaning of false.
    ("store", Field::LeftOutUnless(|value| value == false)),
];

/// Replaces the client's names of tools in a tool choice with the names that the model knows.
fn rename_choice(request: &mut GatewayRequest, value: &Value) {
    let name =
        |tool: &Value| names::upstream(tool["namespace"].as_str(), tool["name"].as_str().unwrap_or_default());
    if let crate::request::Choice::Named(choice) = &mut request.choice {
        *choice = name(value);
    }
    if let (Some(allowed), Some(tools)) = (&mut request.allowed, value["tools"].as_array()) {
        *allowed = tools.iter().map(name).collect();
    }
}

fn reasoning(request: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    for (name, value) in fields::object("reasoning", value)?.iter().filter(|(_, value)| !value.is_null()) {
        match name.as_str() {
            "effort" => fields::effort(request, "reasoning.effort", value)?,
            // Thoughts are never part of an answer.
            "summary" | "generate_summary" => request.leave_out(&format!("reasoning.{name}")),
            _ => return Err(fields::unknown(&format!("reasoning.{name}"))),
        }
    }
    Ok(())
}

fn text(request: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    for (name, value) in fields::object("text", value)?.iter().filter(|(_, value)| !value.is_null()) {
        match name.as_str() {
            "format" => {
                let place = "text.format";
                request.answer = openai::answer_form(place, value, (place, value))?;
            }
            "verbosity" => request.leave_out("text.verbosity"),
            _ => return Err(fields::unknown(&format!("text.{name}"))),
        }
    }
    Ok(())
}

fn tools(request: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    for (at, tool) in fields::list("tools", value)?.iter().enumerate() {
        let place = format!("tools[{at}]");
        let fields_of = fields::object(&place, tool)?;
        match tool["type"].as_str() {
            Some("function") => function(request, &place, None, fields_of)?,
            Some("custom") => custom(request, &place, None, fields_of)?,
            Some("namespace") => namespace(request, &place, tool)?,
            Some("tool_search") => {
                return Err(Refusal::field(
                    &place,
                    "is offered by Codex for models that it knows by name alone; configure the model under another name",
                ));
            }
            // Tools that OpenAI's own servers execute.
            Some(_) => request.leave_out(&place),
            None => return Err(Refusal::field(&format!("{place}.type"), say!("is missing"))),
        }
    }
    Ok(())
}

fn namespace(request: &mut GatewayRequest, place: &str, tool: &Value) -> Result<(), Refusal> {
    let namespace = fields::text(&format!("{place}.name"), tool.get("name"))?;
    let inner = format!("{place}.tools");
    for (at, tool) in fields::list(&inner, &tool["tools"])?.iter().enumerate() {
        let place = format!("{inner}[{at}]");
        let fields_of = fields::object(&place, tool)?;
        match tool["type"].as_str() {
            Some("function") => function(request, &place, Some(namespace), fields_of)?,
            Some("custom") => custom(request, &place, Some(namespace), fields_of)?,
            _ => {
                return Err(Refusal::field(
                    &place,
                    say!("must be of type `function`; other kinds are not carried"),
                ));
            }
        }
    }
    Ok(())
}

fn function(
    request: &mut GatewayRequest,
    place: &str,
    namespace: Option<&str>,
    function: &Map<String, Value>,
) -> Result<(), Refusal> {
    let mut spec = fields::offer(request, place, "parameters", function, |_, name, value| {
        name == "type" || (name == "defer_loading" && value == false)
    })?;
    spec.name = names::upstream(namespace, &spec.name);
    if function.get("strict") == Some(&Value::Bool(true)) {
        request.strict_tools.push(spec.name.clone());
    }
    request.tools.push(spec);
    Ok(())
}

/// Reads a tool whose input is any text, as a function with one text parameter.
fn custom(
    request: &mut GatewayRequest,
    place: &str,
    namespace: Option<&str>,
    tool: &Map<String, Value>,
) -> Result<(), Refusal> {
    let mut spec = fields::function(place, tool.get("name"))?;
    spec.name = names::upstream(namespace, &spec.name);
    if let Some(text) = tool.get("description").and_then(Value::as_str) {
        text.clone_into(&mut spec.description);
    }
    // A grammar cannot be forwarded. It would only help the model.
    if tool.get("format").is_some_and(|format| format["type"] == "grammar") {
        request.leave_out(&format!("{place}.format"));
    }
    spec.parameters = json!({
        "type": "object", "properties": {"input": {"type": "string"}}, "required": ["input"],
    });
    request.tools.push(spec);
    Ok(())
}
