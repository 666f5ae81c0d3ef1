//! The body of a Chat Completions request, written straight from the conversation without an intermediate tree.

use crate::openai_compat::{Dialect, Endpoint};
use koab_core::tool::ToolSpec;
use koab_engine::ports::{Message, ModelRequest, RequestedCall};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;

/// The body of one request (`spec/adapters.md` §10.1).
#[derive(Serialize)]
pub(super) struct Body<'a> {
    model: &'a str,
    #[serde(serialize_with = "messages")]
    messages: &'a [Message],
    #[serde(skip_serializing_if = "<[_]>::is_empty", serialize_with = "tools")]
    tools: &'a [ToolSpec],
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
    stream: bool,
    stream_options: StreamOptions,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ResponseFormat<'a> {
    JsonSchema {
        json_schema: NamedSchema<'a>,
    },
    // The form that gateways before Gemini take (§4.4).
    JsonObject {
        response_schema: &'a Value,
        enforce_validation: bool,
    },
}

#[derive(Serialize)]
struct NamedSchema<'a> {
    name: &'a str,
    schema: &'a Value,
    strict: bool,
}

impl<'a> Body<'a> {
    pub(super) fn new(endpoint: &'a Endpoint, request: &ModelRequest<'a>) -> Self {
        let model = endpoint.model.as_str();
        let common = endpoint.dialect == Dialect::Common;
        Body {
            model,
            messages: request.messages,
            tools: request.tools,
            tool_choice: (!request.tools.is_empty()).then_some("auto"),
            temperature: (common || !reasons(model)).then_some(request.temperature),
            max_tokens: common.then_some(request.max_tokens),
            max_completion_tokens: (!common).then_some(request.max_tokens),
            seed: request.seed,
            reasoning_effort: request.effort,
            response_format: request
                .answer_schema
                .map(|(name, schema)| ResponseFormat::new(model, name, schema)),
            stream: true,
            stream_options: StreamOptions { include_usage: true },
        }
    }

    pub(super) fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("BUG: a request body has only text keys and finite numbers")
    }
}

impl<'a> ResponseFormat<'a> {
    fn new(model: &str, name: &'a str, schema: &'a Value) -> Self {
        if model.to_ascii_lowercase().contains("gemini") {
            ResponseFormat::JsonObject {
                response_schema: schema,
                enforce_validation: true,
            }
        } else {
            ResponseFormat::JsonSchema {
                json_schema: NamedSchema {
                    name,
                    schema,
                    strict: false,
                },
            }
        }
    }
}

/// OpenAI's reasoning models: the o-series (`o1`, `o3-mini`, …) and gpt-5.
fn reasons(model: &str) -> bool {
    let mut letters = model.bytes();
    let o_series = letters.next() == Some(b'o') && letters.next().is_some_and(|c| c.is_ascii_digit());
    o_series || model.starts_with("gpt-5")
}

fn messages<S: Serializer>(messages: &[Message], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(messages.iter().map(WireMessage))
}

fn tools<S: Serializer>(tools: &[ToolSpec], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(tools.iter().map(|function| WireFunction {
        kind: "function",
        function,
    }))
}

#[derive(Serialize)]
struct WireFunction<T> {
    #[serde(rename = "type")]
    kind: &'static str,
    function: T,
}

struct WireMessage<'a>(&'a Message);

impl Serialize for WireMessage<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        match self.0 {
            Message::System(text) => plain(&mut map, "system", text)?,
            Message::User(text) => plain(&mut map, "user", text)?,
            Message::Assistant { content, calls } => {
                plain(&mut map, "assistant", content)?;
                if !calls.is_empty() {
                    map.serialize_entry(
                        "tool_calls",
                        &calls.iter().map(WireCall::from).collect::<Vec<_>>(),
                    )?;
                }
            }
            Message::Tool { call_id, content } => {
                map.serialize_entry("role", "tool")?;
                map.serialize_entry("tool_call_id", call_id)?;
                map.serialize_entry("content", content)?;
            }
        }
        map.end()
    }
}

fn plain<M: SerializeMap>(map: &mut M, role: &str, content: &str) -> Result<(), M::Error> {
    map.serialize_entry("role", role)?;
    map.serialize_entry("content", content)
}

#[derive(Serialize)]
struct WireCall<'a> {
    id: &'a str,
    #[serde(flatten)]
    call: WireFunction<CalledFunction<'a>>,
}

#[derive(Serialize)]
struct CalledFunction<'a> {
    name: &'a str,
    arguments: &'a str,
}

impl<'a> From<&'a RequestedCall> for WireCall<'a> {
    fn from(call: &'a RequestedCall) -> Self {
        let function = CalledFunction {
            name: &call.name,
            arguments: &call.arguments,
        };
        WireCall {
            id: &call.id,
            call: WireFunction {
                kind: "function",
                function,
            },
        }
    }
}

#[cfg(test)]
mod tests;
