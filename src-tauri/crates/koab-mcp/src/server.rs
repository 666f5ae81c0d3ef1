//! The answering core of a server of tools: one message in, at most one out. Sessions there are
//! none; every message stands alone.

use crate::message::{self, Kind, Message, MessageError, raw, with_members};
use crate::params::{CallParams, CancelParams};
use crate::running_calls::RunningCalls;
use crate::tools::{ToolAnswer, ToolCall, Tools};
use crate::version;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::sync::Arc;

/// What a server says of itself.
#[derive(Clone, Debug)]
pub struct ServerProfile {
    /// `serverInfo`.
    pub info: Box<RawValue>,
    /// `capabilities`.
    pub capabilities: Box<RawValue>,
    /// `instructions`: a prompt of the server's own.
    pub instructions: Option<Box<RawValue>>,
    /// The one version of the handshake that it names; `None` names the client's where it is known.
    pub handshake: Option<String>,
    /// Whether it speaks [`version::MODERN`], too; a client of that version falls back to the
    /// handshake where not.
    pub modern: bool,
}

impl ServerProfile {
    /// A server of ours: tools and nothing else, every version.
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

/// What becomes of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The text of an answer.
    Answer(String),
    /// Nothing: a notification, an answer to nothing that was asked, or a call that was taken back.
    Nothing,
    /// It is no message; the text of the error.
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
    /// A server with these tools behind it.
    pub fn new(profile: ServerProfile, tools: Arc<dyn Tools>) -> Self {
        Self { profile, tools, running: RunningCalls::default() }
    }

    /// Takes one message.
    pub async fn take(&self, text: &[u8]) -> Reply {
        let message = match Message::read(text) {
            Ok(message) => message,
            Err(broken) => return Reply::Invalid(message_error_text(broken)),
        };
        let (Kind::Request, Some(id), Some(method)) = (message.kind(), &message.id, &message.method) else {
            self.hear(&message);
            return Reply::Nothing;
        };
        let answered = match self.is_modern(&message) {
            Err(refused) => Err(refused),
            Ok(modern) if method == "tools/call" => match self.call(id, &message, modern).await {
                Some(answered) => answered,
                None => return Reply::Nothing,
            },
            Ok(modern) => self.answer(method, &message, modern).await,
        };
        Reply::Answer(match answered {
            Ok(result) => message::answer(id, &result),
            Err(error) => message::refusal(Some(id), &error),
        })
    }

    /// A notification. Only one of them changes anything here.
    fn hear(&self, message: &Message) {
        if message.method.as_deref() == Some("notifications/cancelled")
            && let Some(cancelled) = message.params_as::<CancelParams>()
        {
            self.running.cancel(cancelled.id.get());
        }
    }

    /// Whether a request is one of the version without a handshake.
    ///
    /// # Errors
    /// The error that tells which versions there are, where it names another.
    fn is_modern(&self, message: &Message) -> Result<bool, ErrorObject> {
        let meta = message.params_as::<MetaParams>().and_then(|params| params.meta);
        let Some(named) = meta.as_ref().and_then(|meta| meta.get(version::META_VERSION)) else {
            return Ok(false);
        };
        if !self.profile.modern {
            return Ok(false);
        }
        match named.as_str() {
            Some(version::MODERN) => Ok(true),
            // A client may name the version of its handshake here as well.
            Some(named) if version::HANDSHAKE.contains(&named) => Ok(false),
            _ => Err(raw(&json!({
                "code": message::UNSUPPORTED_VERSION,
                "message": "this version of the protocol is not spoken here",
                "data": { "supported": version::KNOWN, "requested": named },
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
        let asked = message.params_as::<InitializeParams>();
        let asked = asked.map_or_else(String::new, |asked| asked.version);
        let spoken = match &self.profile.handshake {
            Some(one) => one.as_str(),
            None => version::negotiated(&asked),
        };
        let ServerProfile { info, capabilities, .. } = &self.profile;
        let instructions = self.instructions();
        made(format!(
            r#"{{"protocolVersion":{},"capabilities":{capabilities},"serverInfo":{info}{instructions}}}"#,
            raw(&spoken)
        ))
    }

    fn discover(&self) -> Box<RawValue> {
        let ServerProfile { info, capabilities, .. } = &self.profile;
        let (versions, instructions) = (raw(&version::KNOWN), self.instructions());
        made(format!(
            r#"{{"resultType":"complete","supportedVersions":{versions},"capabilities":{capabilities},"ttlMs":0,"cacheScope":"private","_meta":{{"io.modelcontextprotocol/serverInfo":{info}}}{instructions}}}"#
        ))
    }

    fn instructions(&self) -> String {
        let given = self.profile.instructions.as_ref();
        given.map_or_else(String::new, |given| format!(r#","instructions":{given}"#))
    }

    fn list(&self, modern: bool) -> Box<RawValue> {
        let tools: Vec<String> = self.tools.list().iter().map(|tool| tool.text.get().to_owned()).collect();
        let tools = tools.join(",");
        made(match modern {
            true => {
                format!(r#"{{"resultType":"complete","tools":[{tools}],"ttlMs":0,"cacheScope":"private"}}"#)
            }
            false => format!(r#"{{"tools":[{tools}]}}"#),
        })
    }

    /// `None` when the call was taken back.
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

/// A result in the form of the request's version.
fn complete(result: &RawValue, modern: bool) -> Box<RawValue> {
    match modern {
        true => with_members(result, &[("resultType", r#""complete""#)]),
        false => result.to_owned(),
    }
}

fn made(text: String) -> Box<RawValue> {
    RawValue::from_string(text).expect("BUG: an object of JSON parts is JSON")
}

/// The answer to what is no message.
pub fn message_error_text(broken: MessageError) -> String {
    message::refusal(None, &message::error(broken.code(), &broken.to_string()))
}
