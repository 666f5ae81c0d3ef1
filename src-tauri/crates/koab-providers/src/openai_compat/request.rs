//! The body of a Chat Completions request, serialized directly from the conversation without an
//! intermediate tree.

use crate::openai_compat::endpoint::{Dialect, Endpoint};
use crate::openai_compat::opaque;
use crate::refusals::ModelRefusals;
use crate::structured::ObjectMethod;
use koab_core::tool::ToolSpec;
use koab_engine::ports::{Message, ModelRequest, RequestedCall, ToolChoice};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;

/// The body of one request (`docs/spec/adapters.md` §10.1).
#[derive(Serialize)]
pub(super) struct Body<'a> {
    model: &'a str,
    messages: Messages<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<Tools<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Choice<'a>>,
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
    /// OpenRouter's field for effort.
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<Reasoning<'a>>,
    /// OpenRouter's choice of hosts.
    #[serde(skip_serializing_if = "Option::is_none")]
    provider: Option<Hosts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
    stream: bool,
    stream_options: StreamOptions,
}

/// Messages of a conversation, or the messages of another benchmark, which are sent unchanged.
#[derive(Serialize)]
#[serde(untagged)]
enum Messages<'a> {
    #[serde(serialize_with = "messages")]
    Ours(&'a [Message]),
    Given(&'a [Value]),
}

/// Tools of a task, or the tools of another benchmark, which are sent unchanged.
#[derive(Serialize)]
#[serde(untagged)]
enum Tools<'a> {
    #[serde(serialize_with = "tools")]
    Ours(&'a [ToolSpec]),
    Given(&'a [Value]),
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Choice<'a> {
    Word(&'static str),
    Forced(WireFunction<Named<'a>>),
}

impl<'a> Choice<'a> {
    fn named(name: &'a str) -> Self {
        Choice::Forced(WireFunction { kind: "function", function: Named { name } })
    }
}

#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
}

#[derive(Serialize)]
struct Reasoning<'a> {
    effort: &'a str,
}

#[derive(Serialize)]
struct Hosts {
    require_parameters: bool,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ResponseFormat<'a> {
    JsonSchema {
        json_schema: NamedSchema<'a>,
    },
    // The form for Gemini behind gateways (§4.4).
    JsonObject {
        #[serde(skip_serializing_if = "Option::is_none")]
        response_schema: Option<&'a Value>,
        #[serde(skip_serializing_if = "Option::is_none")]
        enforce_validation: Option<bool>,
    },
}

#[derive(Serialize)]
struct NamedSchema<'a> {
    name: &'a str,
    schema: &'a Value,
    strict: bool,
}

impl<'a> Body<'a> {
    pub(super) fn new(
        endpoint: &'a Endpoint,
        learned: &ModelRefusals,
        request: &ModelRequest<'a>,
        way: Option<ObjectMethod>,
    ) -> Self {
        let (model, dialect) = (endpoint.model.as_str(), endpoint.dialect);
        // On other servers, a familiar name may mean any model.
        let reasons = matches!(dialect, Dialect::OpenAi | Dialect::Azure) && reasons(model);
        let renamed = dialect == Dialect::OpenAi
            || (dialect == Dialect::Azure && reasons)
            || learned.renames_max_tokens();
        let routed = dialect == Dialect::OpenRouter;
        let format = match (way, request.answer_schema) {
            (Some(ObjectMethod::Object), _) => {
                Some(ResponseFormat::JsonObject { response_schema: None, enforce_validation: None })
            }
            (_, Some((name, schema))) => Some(ResponseFormat::new(model, name, schema)),
            (_, None) => None,
        };
        // A caller that gives a whole request sets no tool choice.
        let chosen = request.tools.first().filter(|_| request.given.is_none());
        let tool_choice = chosen.map(|first| match way {
            Some(ObjectMethod::Tool) => Choice::named(&first.name),
            _ => match request.tool_choice {
                ToolChoice::Auto => Choice::Word("auto"),
                ToolChoice::Required => Choice::Word("required"),
                ToolChoice::Named(name) => Choice::named(name),
            },
        });
        Body {
            model,
            messages: match request.given {
                Some(given) => Messages::Given(given.messages),
                None => Messages::Ours(request.messages),
            },
            tools: match request.given {
                Some(given) => (!given.tools.is_empty()).then_some(Tools::Given(given.tools)),
                None => (!request.tools.is_empty()).then_some(Tools::Ours(request.tools)),
            },
            tool_choice,
            temperature: (!reasons && !learned.refuses_temperature()).then_some(request.temperature),
            max_tokens: request.max_tokens.filter(|_| !renamed),
            max_completion_tokens: request.max_tokens.filter(|_| renamed),
            seed: request.seed,
            reasoning_effort: request.effort.filter(|_| !routed),
            reasoning: request.effort.filter(|_| routed).map(|effort| Reasoning { effort }),
            provider: (routed && format.is_some()).then_some(Hosts { require_parameters: true }),
            response_format: format,
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
            ResponseFormat::JsonObject { response_schema: Some(schema), enforce_validation: Some(true) }
        } else {
            ResponseFormat::JsonSchema { json_schema: NamedSchema { name, schema, strict: false } }
        }
    }
}

/// Whether this is one of OpenAI's reasoning models: the o-series (`o1`, `o3-mini`, …) and gpt-5.
fn reasons(model: &str) -> bool {
    let mut letters = model.bytes();
    let o_series = letters.next() == Some(b'o') && letters.next().is_some_and(|c| c.is_ascii_digit());
    o_series || model.starts_with("gpt-5")
}

fn messages<S: Serializer>(messages: &[Message], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(messages.iter().map(WireMessage))
}

fn tools<S: Serializer>(tools: &[ToolSpec], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(tools.iter().map(|function| WireFunction { kind: "function", function }))
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
            Message::Assistant { content, calls, opaque } => {
                // A turn with calls and no text has a null content, as servers write it: some
                // refuse an empty text.
                let text = (!content.is_empty() || calls.is_empty()).then_some(content);
                map.serialize_entry("role", "assistant")?;
                map.serialize_entry("content", &text)?;
                if !calls.is_empty() {
                    let calls = calls
                        .iter()
                        .enumerate()
                        .map(|(at, call)| WireCall::new(call, opaque::extra(opaque.as_ref(), at)));
                    map.serialize_entry("tool_calls", &calls.collect::<Vec<_>>())?;
                }
                if let Some((field, details)) = opaque.as_ref().and_then(opaque::details) {
                    map.serialize_entry(field, details)?;
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
    #[serde(skip_serializing_if = "Option::is_none")]
    extra_content: Option<&'a Value>,
}

#[derive(Serialize)]
struct CalledFunction<'a> {
    name: &'a str,
    arguments: &'a str,
}

impl<'a> WireCall<'a> {
    fn new(call: &'a RequestedCall, extra_content: Option<&'a Value>) -> Self {
        let function = CalledFunction { name: &call.name, arguments: &call.arguments };
        WireCall { id: &call.id, call: WireFunction { kind: "function", function }, extra_content }
    }
}

#[cfg(test)]
mod tests;
