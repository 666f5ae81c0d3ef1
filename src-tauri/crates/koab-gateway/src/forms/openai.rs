//! Readers that OpenAI's two forms have in common.

use super::fields;
use crate::refusal::Refusal;
use crate::request::{AnswerForm, Choice, GatewayRequest};
use koab_core::say;
use serde_json::{Value, json};

/// Checks `stream_options`, whose fields must be bools with one of `names`.
///
/// # Errors
/// When a field has another name or is not a bool.
pub(super) fn stream_options(value: &Value, names: &[&str]) -> Result<(), Refusal> {
    for (name, value) in value.as_object().into_iter().flatten() {
        if !names.contains(&name.as_str()) || !value.is_boolean() {
            return Err(Refusal::field(&format!("stream_options.{name}"), say!("is not known here")));
        }
    }
    Ok(())
}

/// Reads `tool_choice`. The Responses API has the tool's name next to its type; Chat Completions
/// has it in an inner object.
///
/// # Errors
/// When the choice is of another kind or has no name.
pub(super) fn choice(request: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    request.choice = match (value.as_str(), value["type"].as_str()) {
        (Some(mode), _) => mode_of("tool_choice", mode)?,
        (None, Some("function")) => Choice::Named(name("tool_choice", value)?),
        (None, Some("allowed_tools")) => {
            // Chat has the allowed tools in an inner object.
            let allowed = value.get("allowed_tools").unwrap_or(value);
            let place = "tool_choice.tools";
            let list = fields::list(place, &allowed["tools"])?;
            let names = list.iter().enumerate().map(|(at, tool)| name(&format!("{place}[{at}]"), tool));
            request.allowed = Some(names.collect::<Result<_, _>>()?);
            mode_of("tool_choice.mode", allowed["mode"].as_str().unwrap_or("auto"))?
        }
        _ => return Err(refused("tool_choice")),
    };
    Ok(())
}

fn mode_of(place: &str, mode: &str) -> Result<Choice, Refusal> {
    match mode {
        "auto" => Ok(Choice::Auto),
        "none" => Ok(Choice::None),
        "required" => Ok(Choice::Required),
        _ => Err(refused(place)),
    }
}

fn refused(place: &str) -> Refusal {
    Refusal::field(place, "can be `auto`, `none`, `required`, a function or allowed functions")
}

fn name(place: &str, tool: &Value) -> Result<String, Refusal> {
    let name = tool.pointer("/function/name").or_else(|| tool.get("name"));
    fields::text(&format!("{place}.name"), name).map(str::to_owned)
}

/// Reads the schema of the answer. `schema_place` is the path of `schema`, which Chat Completions
/// has in an inner object.
///
/// # Errors
/// When the type is unknown, or the schema is missing or has no name.
pub(super) fn answer_form(
    place: &str,
    value: &Value,
    (schema_place, schema): (&str, &Value),
) -> Result<Option<AnswerForm>, Refusal> {
    match value["type"].as_str() {
        Some("text") => Ok(None),
        Some("json_object") => Ok(Some(AnswerForm {
            name: "answer".to_owned(),
            schema: json!({"type": "object"}),
            strict: false,
        })),
        Some("json_schema") => {
            let (Some(name), form @ Value::Object(_)) = (schema["name"].as_str(), &schema["schema"]) else {
                return Err(Refusal::field(schema_place, "needs a name and a schema"));
            };
            Ok(Some(AnswerForm {
                name: name.to_owned(),
                schema: form.clone(),
                strict: schema["strict"] == true,
            }))
        }
        _ => Err(Refusal::field(&format!("{place}.type"), "can be `text`, `json_object` or `json_schema`")),
    }
}
