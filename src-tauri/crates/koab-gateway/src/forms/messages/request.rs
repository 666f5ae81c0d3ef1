//! Reads a "Create a Message" request.

use super::turns;
use crate::forms::fields;
use crate::forms::table::{self, Field, Table};
use crate::refusal::Refusal;
use crate::request::{AnswerForm, Choice, GatewayRequest, ServedModel};
use koab_core::say;
use koab_engine::ports::Message;
use serde_json::{Value, json};

/// Purpose of a request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::forms) enum RequestPurpose {
    /// An answer of the model, whose length must be limited.
    Answer,
    /// A count of tokens.
    Count,
}

/// Reads a request.
///
/// # Errors
/// When a field is invalid or cannot be forwarded; the first such field is named.
pub(in crate::forms) fn read(
    body: &Value,
    served: &ServedModel,
    max_tokens: u32,
    purpose: RequestPurpose,
) -> Result<GatewayRequest, Refusal> {
    let (body, mut request) = fields::start_request(body, served, max_tokens)?;
    table::read(&mut request, body, FIELDS)?;
    request.need_messages("messages", say!("must be a list with at least one message"))?;
    if request.limited_by.is_none() && purpose == RequestPurpose::Answer {
        return Err(Refusal::field("max_tokens", say!("is missing")));
    }
    if let Some(system) = body.get("system").filter(|value| !value.is_null()) {
        let text = turns::text("system", system, &mut request)?;
        if !text.is_empty() {
            request.messages.insert(0, Message::System(text));
        }
    }
    request.settle("tool_choice", "output_config.format")
}

/// Fields that only the Messages API has.
const FIELDS: &Table = &[
    ("max_tokens", Field::Limit),
    ("system", Field::Elsewhere),
    ("messages", Field::Own(|request, _, value| turns::read(request, value))),
    ("tools", Field::Own(|request, _, value| tools(request, value))),
    ("tool_choice", Field::Own(|request, _, value| choice(request, value))),
    ("stop_sequences", Field::Stops(usize::MAX)),
    ("thinking", Field::Own(|request, _, value| thinking(request, value))),
    ("output_config", Field::Own(|request, _, value| output_config(request, value))),
    ("output_format", Field::Own(answer_form)),
    ("top_k", Field::LeftOut),
    ("cache_control", Field::LeftOut),
];

fn tools(request: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    for (at, tool) in fields::list("tools", value)?.iter().enumerate() {
        let place = format!("tools[{at}]");
        // Tools that Anthropic's own servers execute.
        let kind = tool.get("type").filter(|kind| !kind.is_null());
        if kind.is_some_and(|kind| kind != "custom") {
            request.leave_out(&place);
            continue;
        }
        let tool = fields::object(&place, tool)?;
        let spec = fields::offer(request, &place, "input_schema", tool, |request, name, _| {
            if name == "cache_control" || name == "eager_input_streaming" {
                request.leave_out(&format!("tools[].{name}"));
                return true;
            }
            name == "type"
        })?;
        if tool.get("strict") == Some(&Value::Bool(true)) {
            request.strict_tools.push(spec.name.clone());
        }
        request.tools.push(spec);
    }
    Ok(())
}

fn choice(request: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    request.choice = match value["type"].as_str() {
        Some("auto") => Choice::Auto,
        Some("any") => Choice::Required,
        Some("none") => Choice::None,
        Some("tool") => Choice::Named(fields::text("tool_choice.name", value.get("name"))?.to_owned()),
        _ => {
            return Err(Refusal::field("tool_choice.type", "must be `auto`, `any`, `tool` or `none`"));
        }
    };
    request.one_call = value["disable_parallel_tool_use"] == true;
    Ok(())
}

fn thinking(request: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    match value["type"].as_str() {
        Some("enabled") => {
            fields::thinking_budget(request, "thinking.budget_tokens", &value["budget_tokens"])
        }
        // The model decides, as it also does without this field.
        Some("adaptive") => {
            request.leave_out("thinking");
            Ok(())
        }
        Some("disabled") => Ok(()),
        _ => Err(Refusal::field("thinking.type", "must be `enabled`, `adaptive` or `disabled`")),
    }
}

fn output_config(request: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    let config = fields::object("output_config", value)?;
    for (name, value) in config.iter().filter(|(_, value)| !value.is_null()) {
        let place = format!("output_config.{name}");
        match name.as_str() {
            "format" => answer_form(request, &place, value)?,
            "effort" => fields::effort(request, &place, value)?,
            _ => return Err(fields::unknown(&place)),
        }
    }
    Ok(())
}

fn answer_form(request: &mut GatewayRequest, place: &str, value: &Value) -> Result<(), Refusal> {
    if value["type"] != json!("json_schema") {
        return Err(Refusal::field(&format!("{place}.type"), "must be `json_schema`"));
    }
    fields::object(&format!("{place}.schema"), &value["schema"])?;
    request.answer =
        Some(AnswerForm { name: "answer".to_owned(), schema: value["schema"].clone(), strict: true });
    Ok(())
}
