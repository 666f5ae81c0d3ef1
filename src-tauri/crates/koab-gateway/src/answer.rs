//! Checks a model's reply, and removes parts that the caller did not request, before the reply is
//! written in the caller's format.

use super::refusal::Refusal;
use super::request::{Choice, GatewayRequest};
use koab_engine::ports::{FinishReason, ModelReply};
use serde_json::Value;

/// Cuts the text at the first stop sequence, for servers that do not support stop sequences, and
/// removes all calls. Returns the stop sequence that was found.
///
/// The removed tokens are still paid for.
pub(super) fn cut(reply: &mut ModelReply, stop: &[String]) -> Option<String> {
    let positions = stop.iter().filter_map(|stop| Some((reply.content.find(stop.as_str())?, stop)));
    let (at, stop) = positions.min_by_key(|(at, _)| *at)?;
    reply.content.truncate(at);
    reply.calls.clear();
    reply.opaque = None;
    reply.finish = FinishReason::Stop;
    Some(stop.clone())
}

/// Removes all calls but the first one. Returns the number of removed calls.
pub(super) fn first_call(reply: &mut ModelReply) -> usize {
    let removed = reply.calls.len().saturating_sub(1);
    if removed > 0 {
        reply.calls.truncate(1);
        // The opaque data belongs to all calls together.
        reply.opaque = None;
    }
    removed
}

/// Checks an answer against the requested tool choice and the strict schemas, since not every
/// server enforces them.
///
/// # Errors
/// When the answer does not fulfil the tool choice or a schema.
pub(super) fn keeps_forms(request: &GatewayRequest, reply: &ModelReply) -> Result<(), Refusal> {
    // The finish reason of an answer that was cut off or withheld already reports it.
    if matches!(reply.finish, FinishReason::Length | FinishReason::ContentFilter) {
        return Ok(());
    }
    let broken = |what: String, why: String| {
        let message = format!("the model's {what} has not the strict form that was asked for: {why}");
        Err(Refusal::new(502, "form_not_kept", message))
    };
    let uncalled = |message: String| Err(Refusal::new(502, "form_not_kept", message));
    match &request.choice {
        Choice::Required if reply.calls.is_empty() => {
            return uncalled("the model called no tool, which was asked for".to_owned());
        }
        Choice::Named(name) if !reply.calls.iter().any(|call| call.name == *name) => {
            return uncalled(format!("the model did not call `{name}`, which was asked for"));
        }
        _ => {}
    }
    if let Some(form) = request.answer.as_ref().filter(|form| form.strict)
        && let Some(why) = fault(&form.schema, &reply.content)
    {
        return broken("answer".to_owned(), why);
    }
    for call in reply.calls.iter().filter(|call| request.strict_tools.contains(&call.name)) {
        let tool = request.tools.iter().find(|tool| tool.name == call.name);
        if let Some(why) = tool.and_then(|tool| fault(&tool.parameters, &call.arguments)) {
            return broken(format!("call of {}", call.name), why);
        }
    }
    Ok(())
}

/// Reason why a text is not JSON of this schema; `None` when it is.
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
