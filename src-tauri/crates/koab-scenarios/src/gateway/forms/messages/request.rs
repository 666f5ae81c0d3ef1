//! Reads "Create a Message".

use super::turns;
use crate::gateway::forms::fields;
use crate::gateway::forms::table::{self, Field, Table};
use crate::gateway::refusal::Refusal;
use crate::gateway::request::{AnswerForm, Choice, GatewayRequest, ServedModel};
use koab_core::say;
use koab_engine::ports::Message;
use serde_json::{Value, json};

/// What a request is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::gateway::forms) enum Wanted {
    /// An answer, whose length must be limited.
    Answer,
    /// A number of tokens.
    Count,
}

/// Reads a request.
///
/// # Errors
/// The first field that makes no sense or cannot be carried.
pub(in crate::gateway::forms) fn read(
    body: &Value,
    served: &ServedModel,
    max_tokens: u32,
    wanted: Wanted,
) -> Result<GatewayRequest, Refusal> {
    let (body, mut asked) = fields::begun(body, served, max_tokens)?;
    table::read(&mut asked, body, FIELDS)?;
    asked.need_messages("messages", say!("must be a list with at least one message"))?;
    if asked.limited_by.is_none() && wanted == Wanted::Answer {
        return Err(Refusal::field("max_tokens", say!("is missing")));
    }
    if let Some(system) = body.get("system").filter(|value| !value.is_null()) {
        let text = turns::text("system", system, &mut asked)?;
        if !text.is_empty() {
            asked.messages.insert(0, Message::System(text));
        }
    }
    asked.settle("tool_choice", "output_config.format")
}

/// Fields of its own.
const FIELDS: &Table = &[
    ("max_tokens", Field::Limit),
    ("system", Field::Elsewhere),
    ("messages", Field::Own(|asked, _, value| turns::read(asked, value))),
    ("tools", Field::Own(|asked, _, value| tools(asked, value))),
    ("tool_choice", Field::Own(|asked, _, value| choice(asked, value))),
    ("stop_sequences", Field::Stops(usize::MAX)),
    ("thinking", Field::Own(|asked, _, value| thinking(asked, value))),
    ("output_config", Field::Own(|asked, _, value| output_config(asked, value))),
    ("output_format", Field::Own(answer_form)),
    ("top_k", Field::LeftOut),
    ("cache_control", Field::LeftOut),
];

fn tools(asked: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    for (at, tool) in fields::list("tools", value)?.iter().enumerate() {
        let place = format!("tools[{at}]");
        // Tools that Anthropic's own servers carry out.
        let kind = tool.get("type").filter(|kind| !kind.is_null());
        if kind.is_some_and(|kind| kind != "custom") {
            asked.leave_out(&place);
            continue;
        }
        let tool = fields::object(&place, tool)?;
        let spec = fields::offer(asked, &place, "input_schema", tool, |asked, name, _| {
            if name == "cache_control" || name == "eager_input_streaming" {
                asked.leave_out(&format!("tools[].{name}"));
                return true;
            }
            name == "type"
        })?;
        if tool.get("strict") == Some(&Value::Bool(true)) {
            asked.strict_tools.push(spec.name.clone());
        }
        asked.tools.push(spec);
    }
    Ok(())
}

fn choice(asked: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    asked.choice = match value["type"].as_str() {
        Some("auto") => Choice::Auto,
        Some("any") => Choice::Required,
        Some("none") => Choice::None,
        Some("tool") => Choice::Named(fields::text("tool_choice.name", value.get("name"))?.to_owned()),
        _ => {
            return Err(Refusal::field("tool_choice.type", "must be `auto`, `any`, `tool` or `none`"));
        }
    };
    asked.one_call = value["disable_parallel_tool_use"] == true;
    Ok(())
}

fn thinking(asked: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    match value["type"].as_str() {
        Some("enabled") => fields::thinking_budget(asked, "thinking.budget_tokens", &value["budget_tokens"]),
        // As the model likes, which is what happens without a word, too.
        Some("adaptive") => {
            asked.leave_out("thinking");
            Ok(())
        }
        Some("disabled") => Ok(()),
        _ => Err(Refusal::field("thinking.type", "must be `enabled`, `adaptive` or `disabled`")),
    }
}

fn output_config(asked: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    let config = fields::object("output_config", value)?;
    for (name, value) in config.iter().filter(|(_, value)| !value.is_null()) {
        let place = format!("output_config.{name}");
        match name.as_str() {
            "format" => answer_form(asked, &place, value)?,
            "effort" => fields::effort(asked, &place, value)?,
            _ => return Err(fields::unknown(&place)),
        }
    }
    Ok(())
}

fn answer_form(asked: &mut GatewayRequest, place: &str, value: &Value) -> Result<(), Refusal> {
    if value["type"] != json!("json_schema") {
        return Err(Refusal::field(&format!("{place}.type"), "must be `json_schema`"));
    }
    fields::object(&format!("{place}.schema"), &value["schema"])?;
    asked.answer =
        Some(AnswerForm { name: "answer".to_owned(), schema: value["schema"].clone(), strict: true });
    Ok(())
}
