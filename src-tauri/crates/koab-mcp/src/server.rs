//! The core of a server of tools, which gives at most one answer to each message. It has no
//! sessions: messages are independent of each other.

use crate::message::{self, Kind, Message, MessageError, raw, with_members};
use crate::params::{CallParams, CancelParams};
use crate::running_calls::RunningCalls;
use crate::tools::{ToolAnswer, ToolCall, Tools};
use crate::version;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::sync::Arc;

/// Description that a server of tools gives to its clients.
#[derive(Clone, Debug)]
pub struct ServerProfile {
    /// `serverInfo` of the answer to `initialize`.
    pub info: Box<RawValue>,
    /// `capabilities` of the answer to `initialize`.
    pub capabilities: Box<RawValue>,
    /// `instructions`: a prompt of the server.
    pub instructions: Option<Box<RawValue>>,
    /// Handshake version that every client is given. With `None`, a client is given the version
    /// that it requests if it is known, else the newest one.
    pub handshake: Option<String>,
    /// Whether the server also supports [`version::MODERN`]. If not, a client of that version falls
    /// back to the handshake.
    pub modern: bool,
}

impl ServerProfile {
    /// Profile of a server that is part of koab: it offers only tools, and supports every version.
    pub fn ours(name: &str, version: &str) -> Self {
        Self {
            info: raw(&json!({ "name": name, "version": version })),
            capabilities: raw(&json!({ "tools": {} })),
            instructions: None,
            handshake: None,
            modern: true,
        }
    }
}

/// Reply to a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Text of an answer.
    Answer(String),
    /// No answer: the message was a notification or an answer, or the call was cancelled.
    Nothing,
    /// The message was invalid; text of the error.
    Invalid(String),
}

/// A server of tools.
pub struct Server {
    profile: ServerProfile,
    tools: Arc<dyn Tools>,
    running: RunningCalls,
}

#[derive(Deserialize)]
struct InitializeParams {
    #[serde(rename = "protocolVersion", default)]
    version: String,
}

#[derive(Deserialize)]
struct MetaParams {
    #[serde(rename = "_meta", default)]
    meta: Option<serde_json::Map<String, Value>>,
}

/// An `error` member.
type ErrorObject = Box<RawValue>;

impl Server {
    /// Creates a server with these tools.
    pub fn new(profile: ServerProfile, tools: Arc<dyn Tools>) -> Self {
        Self { profile, tools, running: RunningCalls::default() }
    }

    /// Handles one message.
    pub async fn take(&self, text: &[u8]) -> Reply {
        let message = match Message::read(text) {
            Ok(message) => message,
            Err(broken) => return Reply::Invalid(message_error_text(broken)),
        };
        let (Kind::Request, Some(id), Some(method)) = (message.kind(), &message.id, &message.method) else {
            self.hear(&message);
            return Reply::Nothing;
        };
        let outcome = match self.is_modern(&message) {
            Err(error) => Err(error),
            Ok(modern) if method == "tools/call" => match self.call(id, &message, modern).await {
                Some(outcome) => outcome,
                None => return Reply::Nothing,
            },
            Ok(modern) => self.answer(method, &message, modern).await,
        };
        Reply::Answer(match outcome {
            Ok(result) => message::answer(id, &result),
            Err(error) => message::refusal(Some(id), &error),
        })
    }

    /// Handles a notification. Only cancellations have an effect.
    fn hear(&self, message: &Message) {
        if message.method.as_deref() == Some("notifications/cancelled")
            && let Some(cancelled) = message.params_as::<CancelParams>()
        {
            self.running.cancel(cancelled.id.get());
        }
    }

    /// Whether a request belongs to the version without a handshake.
    ///
    /// # Errors
    /// The error with the supported versions, if the request names an unsupported one.
    fn is_modern(&self, message: &Message) -> Result<bool, ErrorObject> {
        let meta = message.params_as::<MetaParams>().and_then(|params| params.meta);
        let Some(name) = meta.as_ref().and_then(|meta| meta.get(version::META_VERSION)) else {
            return Ok(false);
        };
        if !self.profile.modern {
            return Ok(false);
        }
        match name.as_str() {
            Some(version::MODERN) => Ok(true),
            // A client may name the version of its handshake here as well.
            Some(name) if version::HANDSHAKE.contains(&name) => Ok(false),
            _ => Err(raw(&json!({
                "code": message::UNSUPPORTED_VERSION,
                "message": "this version of the protocol is not spoken here",
                "data": { "supported": version::KNOWN, "requested": name },
            }))),
        }
    }

    async fn answer(
        &self,
        method: &str,
        message: &Message,
        modern: bool,
    ) -> Result<Box<RawValue>, ErrorObject> {
        match method {
            "initialize" => Ok(self.initialize(message)),
            "server/discover" if self.profile.modern => Ok(self.discover()),
            "ping" => Ok(complete(&raw(&json!({})), modern)),
            "tools/list" => Ok(self.list(modern)),
            _ => match self.tools.other(method, message.params.as_deref()).await {
                Some(ToolAnswer::Result(result)) => Ok(complete(&result, modern)),
                Some(ToolAnswer::Error(error)) => Err(error),
                None => {
                    let why = format!("there is no method {method} here");
                    Err(message::error(message::METHOD_NOT_FOUND, &why))
                }
            },
        }
    }

    fn initialize(&self, message: &Message) -> Box<RawValue> {
        let params = message.params_as::<InitializeParams>();
        let requested = params.map_or_else(String::new, |params| params.version);
        let version = match &self.profile.handshake {
            Some(one) => one.as_str(),
            None => version::negotiated(&requested),
        };
        let ServerProfile { info, capabilities, .. } = &self.profile;
        let instructions = self.instructions();
        raw_object(format!(
            r#"{{"protocolVersion":{},"capabilities":{capabilities},"serverInfo":{info}{instructions}}}"#,
            raw(&version)
        ))
    }

    fn discover(&self) -> Box<RawValue> {
        let ServerProfile { info, capabilities, .. } = &self.profile;
        let (versions, instructions) = (raw(&version::KNOWN), self.instructions());
        raw_object(format!(
            r#"{{"resultType":"complete","supportedVersions":{versions},"capabilities":{capabilities},"ttlMs":0,"cacheScope":"private","_meta":{{"io.modelcontextprotocol/serverInfo":{info}}}{instructions}}}"#
        ))
    }

    fn instructions(&self) -> String {
        let instructions = self.profile.instructions.as_ref();
        instructions.map_or_else(String::new, |instructions| format!(r#","instructions":{instructions}"#))
    }

    fn list(&self, modern: bool) -> Box<RawValue> {
        let tools: Vec<String> = self.tools.list().iter().map(|tool| tool.text.get().to_owned()).collect();
        let tools = tools.join(",");
        raw_object(if modern {
            format!(r#"{{"resultType":"complete","tools":[{tools}],"ttlMs":0,"cacheScope":"private"}}"#)
        } else {
            format!(r#"{{"tools":[{tools}]}}"#)
        })
    }

    /// Answers `tools/call`; `None` if the call was cancelled. `modern`: the request is in the
    /// version without a handshake.
    async fn call(
        &self,
        id: &RawValue,
        message: &Message,
        modern: bool,
    ) -> Option<Result<Box<RawValue>, ErrorObject>> {
        let Some(call) = message.params_as::<CallParams>() else {
            let why = "tools/call needs params with the tool's name";
            return Some(Err(message::error(message::INVALID_PARAMS, why)));
        };
        let place = self.running.begin(id.get());
        let called = self.tools.call(ToolCall { id, name: &call.name, arguments: call.arguments.as_deref() });
        let answer = tokio::select! {
            biased;
            () = place.cancelled.cancelled() => return None,
            answer = called => answer,
        };
        Some(match answer {
            ToolAnswer::Result(result) => Ok(complete(&result, modern)),
            ToolAnswer::Error(error) => Err(error),
        })
    }
}

/// Adds `resultType` to the result of a request in the version without a handshake (`modern`),
/// which requires it.
fn complete(result: &RawValue, modern: bool) -> Box<RawValue> {
    if modern { with_members(result, &[("resultType", r#""complete""#)]) } else { result.to_owned() }
}

fn raw_object(text: String) -> Box<RawValue> {
    RawValue::from_string(text).expect("BUG: an object of JSON parts is JSON")
}

/// Answer to an invalid message.
pub fn message_error_text(broken: MessageError) -> String {
    message::refusal(None, &message::error(broken.code(), &broken.to_string()))
}
