//! Interface of a server's tools.

use crate::message::{self, raw};
use async_trait::async_trait;
use serde_json::value::RawValue;

/// The tools of one server, as a client sees them.
#[async_trait]
pub trait Tools: Send + Sync {
    /// All tools, in their order.
    fn list(&self) -> Vec<ToolOffer>;

    /// Answers one call, including calls of unknown tools. The future is dropped when the client
    /// cancels the call or disconnects.
    async fn call(&self, call: ToolCall<'_>) -> ToolAnswer;

    /// Answers a method that does not concern tools, for an implementation that forwards to another
    /// server. `None` if the method does not exist.
    async fn other(&self, _method: &str, _params: Option<&RawValue>) -> Option<ToolAnswer> {
        None
    }
}

/// Parameters of a `tools/call` request.
#[derive(Clone, Copy, Debug)]
pub struct ToolCall<'a> {
    /// Id of the request.
    pub id: &'a RawValue,
    /// Name of the tool.
    pub name: &'a str,
    /// Arguments. Missing arguments differ from an empty object.
    pub arguments: Option<&'a RawValue>,
}

/// A tool in a list.
#[derive(Clone, Debug)]
pub struct ToolOffer {
    /// Name of the tool.
    pub name: String,
    /// The whole object: name, description, `inputSchema` and other members.
    pub text: Box<RawValue>,
}

impl ToolOffer {
    /// A tool with only a name, a description and a schema.
    pub fn new(name: &str, description: &str, input_schema: &RawValue) -> Self {
        let (name_json, description_json) = (raw(&name), raw(&description));
        let text = format!(
            r#"{{"name":{name_json},"description":{description_json},"inputSchema":{input_schema}}}"#
        );
        Self {
            name: name.to_owned(),
            text: RawValue::from_string(text).expect("BUG: a tool of JSON parts is JSON"),
        }
    }
}

/// Answer to a `tools/call` request, as the member of a JSON-RPC response.
#[derive(Clone, Debug)]
pub enum ToolAnswer {
    /// The `result` member.
    Result(Box<RawValue>),
    /// The `error` member: the request is invalid, so models do not see it.
    Error(Box<RawValue>),
}

impl ToolAnswer {
    /// A result of one text.
    pub fn text(text: &str, is_error: bool) -> Self {
        let text = raw(&text);
        let result = format!(r#"{{"content":[{{"type":"text","text":{text}}}],"isError":{is_error}}}"#);
        Self::Result(RawValue::from_string(result).expect("BUG: a result of JSON parts is JSON"))
    }

    /// An error of JSON-RPC.
    pub fn error(code: i32, text: &str) -> Self {
        Self::Error(message::error(code, text))
    }
}
