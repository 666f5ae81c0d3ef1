//! What a reply has to go through before any form writes it.

use super::refusal::Refusal;
use super::request::{Choice, GatewayRequest};
use koab_engine::ports::{FinishReason, ModelReply};
use serde_json::Value;

/// Ends the text at the first of the stop sequences, as a server that knows them would have: what
/// the model wrote behind it, calls included, was never there. Its tokens are still paid for.
/// Returns that sequence.
pub(super) fn cut(reply: &mut ModelReply, stop: &[String]) -> Option<String> {
    let found = stop.iter().filter_map(|stop| Some((reply.content.find(stop.as_str())?, stop)));
    let (at, stop) = found.min_by_key(|(at, _)| *at)?;
    reply.content.truncate(at);
    reply.calls.clear();
    reply.opaque = None;
    reply.finish = FinishReason::Stop;
    Some(stop.clone())
}

/// Keeps the first call where only one is wanted. Returns how many are gone.
pub(super) fn first_call(reply: &mut ModelReply) -> usize {
    let gone = reply.calls.len().saturating_sub(1);
    if gone > 0 {
        reply.calls.truncate(1);
        // It belongs to all of them together.
        reply.opaque = None;
    }
    gone
}

/// Compares an answer with the choice of tools and the strict forms that were asked for, which not
/// every server keeps.
///
/// # Errors
/// What is not as it was asked for.
pub(super) fn keeps_forms(asked: &GatewayRequest, reply: &ModelReply) -> Result<(), Refusal> {
    // An answer that was cut off or withheld says so itself.
    if matches!(reply.finish, FinishReason::Length | FinishReason::ContentFilter) {
        return Ok(());
    }
    let broken = |what: String, why: String| {
        let message = format!("the model's {what} has not the strict form that was asked for: {why}");
        Err(Refusal::new(502, "form_not_kept", message))
    };
    let uncalled = |message: String| Err(Refusal::new(502, "form_not_kept", message));
    match &asked.choice {
        Choice::Required if reply.calls.is_empty() => {
            return uncalled("the model called no tool, which was asked for".to_owned());
        }
        Choice::Named(name) if !reply.calls.iter().any(|call| call.name == *name) => {
            return uncalled(format!("the model did not call `{name}`, which was asked for"));
        }
        _ => {}
    }
    if let Some(form) = asked.answer.as_ref().filter(|form| form.strict)
        && let Some(why) = fault(&form.schema, &reply.content)
    {
        return broken("answer".to_owned(), why);
    }
    for call in reply.calls.iter().filter(|call| asked.strict_tools.contains(&call.name)) {
        let tool = asked.tools.iter().find(|tool| tool.name == call.name);
        if let Some(why) = tool.and_then(|tool| fault(&tool.parameters, &call.arguments)) {
            return broken(format!("call of {}", call.name), why);
        }
    }
    Ok(())
}

/// Why a text is not JSON of this schema.
fn fault(schema: &Value, text: &str) -> Option<String> {
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => return Some(format!("it is not JSON ({error})")),
    };
    match jsonschema::validator_for(schema) {
        Ok(validator) => validator.validate(&value).err().map(|error| error.to_string()),
        Err(error) => Some(format!("the schema itself cannot be read ({error})")),
    }
}
