//! What OpenAI's two forms have in common.

use super::fields;
use crate::gateway::refusal::Refusal;
use crate::gateway::request::{Choice, GatewayRequest};
use serde_json::Value;

/// Reads `tool_choice`. Responses has a tool's name beside its type, Chat in an object of its own.
///
/// # Errors
/// When it is of another kind, or names nothing.
pub(super) fn choice(asked: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    asked.choice = match (value.as_str(), value["type"].as_str()) {
        (Some(mode), _) => mode_of("tool_choice", mode)?,
        (None, Some("function")) => Choice::Named(name("tool_choice", value)?),
        (None, Some("allowed_tools")) => {
            // Chat has them in an object of their own.
            let allowed = value.get("allowed_tools").unwrap_or(value);
            let place = "tool_choice.tools";
            let list = fields::list(place, &allowed["tools"])?;
            let names = list
                .iter()
                .enumerate()
                .map(|(at, tool)| name(&format!("{place}[{at}]"), tool));
            asked.allowed = Some(names.collect::<Result<_, _>>()?);
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
    Refusal::field(
        place,
        "can be `auto`, `none`, `required`, a function or allowed functions",
    )
}

fn name(place: &str, tool: &Value) -> Result<String, Refusal> {
    let name = tool.pointer("/function/name").or_else(|| tool.get("name"));
    fields::text(&format!("{place}.name"), name).map(str::to_owned)
}
