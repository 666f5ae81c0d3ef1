//! JSON-RPC messages whose parts keep their original texts.

use serde::Deserialize;
use serde_json::value::RawValue;

/// Error code: the message is not JSON.
pub const PARSE_ERROR: i32 = -32700;
/// Error code: the message is not a JSON-RPC 2.0 message.
pub const INVALID_REQUEST: i32 = -32600;
/// Error code: the method does not exist.
pub const METHOD_NOT_FOUND: i32 = -32601;
/// Error code: the parameters are invalid for the method.
pub const INVALID_PARAMS: i32 = -32602;
/// Error code: the server failed.
pub const INTERNAL_ERROR: i32 = -32603;
/// Error code: the protocol version is not supported.
pub const UNSUPPORTED_VERSION: i32 = -32022;

/// A request, a notification or an answer. Each part is the original text.
#[derive(Debug, Deserialize)]
pub struct Message {
    /// A number or a text; missing in notifications.
    #[serde(default)]
    pub id: Option<Box<RawValue>>,
    /// Requested method; missing in answers.
    #[serde(default)]
    pub method: Option<String>,
    /// Parameters of the method.
    #[serde(default)]
    pub params: Option<Box<RawValue>>,
    /// Result of the request.
    #[serde(default)]
    pub result: Option<Box<RawValue>>,
    /// Error of the request.
    #[serde(default)]
    pub error: Option<Box<RawValue>>,
}

/// Kind of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A request, which expects an answer.
    Request,
    /// A notification, which expects no answer.
    Notification,
    /// An answer: a message with a `result` or `error`.
    Answer,
    /// An invalid message.
    Neither,
}

/// Reason why a text is not a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// The text is not JSON.
    #[error("the message is not JSON")]
    NoJson,
    /// The text contains several messages, which only one version of the protocol allowed.
    #[error("batches are not taken; send one message at a time")]
    Batch,
    /// The text is JSON, but not a JSON-RPC 2.0 message.
    #[error("the message is none of JSON-RPC 2.0")]
    NoMessage,
}

impl MessageError {
    /// JSON-RPC error code.
    pub fn code(self) -> i32 {
        match self {
            Self::NoJson => PARSE_ERROR,
            Self::Batch | Self::NoMessage => INVALID_REQUEST,
        }
    }
}

impl Message {
    /// Parses one message.
    ///
    /// # Errors
    /// When the text is not JSON, contains several messages, or is not a JSON-RPC 2.0 message.
    pub fn read(text: &[u8]) -> Result<Self, MessageError> {
        if let Ok(message) = serde_json::from_slice::<Self>(text)
            && text.trim_ascii_start().first() == Some(&b'{')
        {
            return match message.kind() {
                Kind::Neither => Err(MessageError::NoMessage),
                _ => Ok(message),
            };
        }
        match serde_json::from_slice::<&RawValue>(text) {
            Err(_) => Err(MessageError::NoJson),
            Ok(raw) if raw.get().starts_with('[') => Err(MessageError::Batch),
            Ok(_) => Err(MessageError::NoMessage),
        }
    }

    /// Kind of the message.
    pub fn kind(&self) -> Kind {
        let answers = self.result.is_some() || self.error.is_some();
        match (&self.method, &self.id) {
            (Some(_), Some(_)) => Kind::Request,
            (Some(_), None) => Kind::Notification,
            // An error about an unreadable message has no id.
            (None, _) if answers => Kind::Answer,
            (None, _) => Kind::Neither,
        }
    }

    /// The parameters parsed into a type; `None` if they are missing or have another form.
    pub fn params_as<'a, T: Deserialize<'a>>(&'a self) -> Option<T> {
        serde_json::from_str(self.params.as_ref()?.get()).ok()
    }
}

/// Text of an answer with a result.
pub fn answer(id: &RawValue, result: &RawValue) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}

/// Text of an answer that reports an error. `error` is the `error` member.
pub fn refusal(id: Option<&RawValue>, error: &RawValue) -> String {
    let id = id.map_or("null", RawValue::get);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#)
}

/// The `error` member of an answer.
pub fn error(code: i32, message: &str) -> Box<RawValue> {
    raw(&serde_json::json!({ "code": code, "message": message }))
}

/// Text of a request.
pub fn request(id: u64, method: &str, params: &RawValue) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
}

/// A value as JSON text.
pub fn raw(value: &impl serde::Serialize) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).expect("BUG: values of our own are JSON")
}

/// Text of an object with additional members at the front. Members that it already has are not
/// added.
pub(crate) fn with_members(object: &RawValue, members: &[(&str, &str)]) -> Box<RawValue> {
    let Ok(present) =
        serde_json::from_str::<std::collections::BTreeMap<String, serde::de::IgnoredAny>>(object.get())
    else {
        return object.to_owned();
    };
    let mut text = String::from("{");
    for (name, value) in members.iter().filter(|(name, _)| !present.contains_key(*name)) {
        text.push_str(&format!(r#""{name}":{value},"#));
    }
    let rest = object.get().trim_start().trim_start_matches('{');
    if present.is_empty() && text.len() > 1 {
        text.pop();
    }
    text.push_str(rest);
    RawValue::from_string(text).expect("BUG: members before an object's own are JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stay_as_they_came() {
        let text = r#"{"jsonrpc":"2.0","id": 7.0 ,"result":{"b": 1.50,"a":"\u00e9"}}"#;
        let message = Message::read(text.as_bytes()).expect("a message");
        assert_eq!(message.kind(), Kind::Answer);
        assert_eq!(message.id.as_ref().map(|id| id.get()), Some("7.0"));
        assert_eq!(message.result.as_ref().map(|result| result.get()), Some(r#"{"b": 1.50,"a":"\u00e9"}"#));
    }

    #[test]
    fn what_is_no_message_is_told_apart() {
        let read = |text: &str| Message::read(text.as_bytes()).err();
        assert_eq!(read("rubbish"), Some(MessageError::NoJson));
        assert_eq!(read(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#), Some(MessageError::Batch));
        assert_eq!(read("[1,null,\"x\",{},3]"), Some(MessageError::Batch));
        assert_eq!(read("3"), Some(MessageError::NoMessage));
        assert_eq!(read(r#"{"id":1}"#), Some(MessageError::NoMessage));
        assert_eq!(read(r#"{"jsonrpc":"2.0","method":"x"}"#), None);
    }

    #[test]
    fn members_are_put_in_front_once() {
        let put = |text: &str| {
            let object = RawValue::from_string(text.to_owned()).expect("JSON");
            with_members(&object, &[("resultType", r#""complete""#)]).get().to_owned()
        };
        assert_eq!(put("{}"), r#"{"resultType":"complete"}"#);
        assert_eq!(put(r#"{"a":1}"#), r#"{"resultType":"complete","a":1}"#);
        assert_eq!(put(r#"{"resultType":"x"}"#), r#"{"resultType":"x"}"#);
    }
}
