//! Reads a "Create chat completion" request.

use super::messages;
use crate::forms::table::{self, Field, Table};
use crate::forms::{fields, openai};
use crate::refusal::Refusal;
use crate::request::{AnswerFormat, GatewayRequest, ServedModel};
use koab_core::say;
use serde_json::{Map, Value, json};

/// Maximum number of stop sequences in OpenAI's API.
const MAX_STOPS: usize = 4;

/// Format of the answer.
pub(in crate::forms) fn format(body: &Value) -> AnswerFormat {
    let is = |pointer: &str| body.pointer(pointer) == Some(&Value::Bool(true));
    AnswerFormat { stream: is("/stream"), usage: is("/stream_options/include_usage"), array: false }
}

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
    table::read(&mut request, body, FIELDS)?;
    request.need_messages("messages", say!("must be a list with at least one message"))?;
    request.settle("tool_choice", "response_format")
}

/// Fields that only the Chat Completions API has.
const FIELDS: &Table = &[
    ("n", Field::Usual(|value| value.as_f64() == Some(1.0))),
    ("presence_penalty", Field::Usual(|value| value.as_f64() == Some(0.0))),
    ("frequency_penalty", Field::Usual(|value| value.as_f64() == Some(0.0))),
    ("logprobs", Field::Usual(|value| value == false)),
    ("modalities", Field::Usual(|value| *value == json!(["text"]))),
    ("logit_bias", Field::Usual(|value| value.as_object().is_some_and(Map::is_empty))),
    ("functions", Field::Usual(|value| value.as_array().is_some_and(Vec::is_empty))),
    (
        "stream_options",
        Field::Own(|_, _, value| openai::stream_options(value, &["include_usage", "include_obfuscation"])),
    ),
    ("max_tokens", Field::Limit),
    ("max_completion_tokens", Field::Limit),
    (
        "messages",
        Field::Own(|request, _, value| {
            request.messages = messages::read(value, &mut request.left_out)?;
            Ok(())
        }),
    ),
    ("tools", Field::Own(|request, _, value| tools(request, value))),
    ("tool_choice", Field::Own(|request, _, value| openai::choice(request, value))),
    ("parallel_tool_calls", Field::SeveralCalls),
    ("seed", Field::Seed),
    ("stop", Field::Stops(MAX_STOPS)),
    ("reasoning_effort", Field::Effort),
    (
        "response_format",
        Field::Own(|request, name, value| {
            let place = format!("{name}.json_schema");
            request.answer = openai::answer_form(name, value, (&place, &value["json_schema"]))?;
            Ok(())
        }),
    ),
];

fn tools(request: &mut GatewayRequest, value: &Value) -> Result<(), Refusal> {
    for (at, tool) in fields::list("tools", value)?.iter().enumerate() {
        let place = format!("tools[{at}]");
        let function = tool.get("function").and_then(Value::as_object);
        let (Some("function"), Some(function)) = (tool.get("type").and_then(Value::as_str), function) else {
            return Err(Refusal::field(
                &place,
                say!("must be of type `function`; other kinds are not carried"),
            ));
        };
        let place = format!("{place}.function");
        let spec = fields::offer(request, &place, "parameters", function, |_, _, _| false)?;
        if function.get("strict") == Some(&Value::Bool(true)) {
            request.strict_tools.push(spec.name.clone());
        }
        request.tools.push(spec);
    }
    Ok(())
}
