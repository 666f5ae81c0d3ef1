//! What answers the calls of a server.

use crate::message::{self, raw};
use async_trait::async_trait;
use serde_json::value::RawValue;

/// The tools of one server, as a client sees them.
#[async_trait]
pub trait Tools: Send + Sync {
    /// All of them, in their order.
    fn list(&self) -> Vec<ToolOffer>;

    /// Answers one call, also of a tool that there is not. Dropped when the client takes the call
    /// back or leaves.
    async fn call(&self, call: ToolCall<'_>) -> ToolAnswer;

    /// Answers what is not about tools, for whoever hands it on to a server that has more; `None`
    /// where there is no such method.
    async fn other(&self, _method: &str, _params: Option<&RawValue>) -> Option<ToolAnswer> {
        None
    }
}

/// A call as it came.
#[derive(Clone, Copy, Debug)]
pub struct ToolCall<'a> {
    /// The id of its request.
    pub id: &'a RawValue,
    /// The tool's name.
    pub name: &'a str,
    /// Its arguments; absent ones are no empty object.
    pub arguments: Option<&'a RawValue>,
}

/// A tool as a list has it.
#[derive(Clone, Debug)]
pub struct ToolOffer {
    /// Its name.
    pub name: String,
    /// The whole object: name, description, `inputSchema` and whatever else is to be said.
    pub text: Box<RawValue>,
}

impl ToolOffer {
    /// A tool with a name, a description and a schema, and nothing else.
    pub fn new(name: &str, description: &str, input_schema: &RawValue) -> Self {
        let (named, described) = (raw(&name), raw(&description));
        let text = format!(r#"{{"name":{named},"description":{described},"inputSchema":{input_schema}}}"#);
        Self {
            name: name.to_owned(),
            text: RawValue::from_string(text).expect("BUG: a tool of JSON parts is JSON"),
        }
    }
}

/// What came of a call.
#[derive(Clone, Debug)]
pub enum ToolAnswer {
    /// The `result` member.
    Result(Box<RawValue>),
    /// The `error` member: the request makes no sense, so that no model is shown it.
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
