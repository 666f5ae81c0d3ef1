//! Reply of a model, exactly as the server sent it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One reply, unchanged.
///
/// Nothing is normalized, since details such as duplicate keys, `NaN`, or `1` in the place of `1.0`
/// can change a verdict. The stored form is the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Text of the reply; `None` where the server sent null or nothing.
    #[serde(default)]
    pub content: Option<String>,
    /// Calls of the reply; `None` where the server sent null or nothing, which differs from an
    /// empty list.
    #[serde(default)]
    pub tool_calls: Option<Vec<Call>>,
}

impl Answer {
    /// Empty reply. Under the published rules, a request that failed in all its retries counts as
    /// this reply.
    pub fn empty() -> Self {
        Self { content: Some(String::new()), tool_calls: None }
    }

    /// Reply in a server's message, as a run stores it. `None` where the message is not the model's
    /// or has another structure.
    pub fn of_message(message: &Value) -> Option<Self> {
        let is_reply = message.get("role").and_then(Value::as_str) == Some("assistant");
        is_reply.then(|| Self::deserialize(message).ok()).flatten()
    }

    /// Reply from the last message of a conversation; `None` where that message is not the model's.
    pub fn of_messages(messages: &[Value]) -> Option<Self> {
        messages.last().and_then(Self::of_message)
    }
}

/// One call of a reply. In a server's message the two fields are inside of `function`; both layouts
/// can be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written")]
pub struct Call {
    /// Name of the tool, as the model wrote it.
    pub name: String,
    /// Arguments as unparsed text.
    pub arguments: String,
}

/// Call in a file of replies, in one of two layouts: with `function`, or with `name` and
/// `arguments` themselves.
#[derive(Deserialize)]
struct Written {
    function: Option<Named>,
    name: Option<String>,
    arguments: Option<String>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
    arguments: String,
}

impl TryFrom<Written> for Call {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        match written {
            Written { name: Some(name), arguments: Some(arguments), .. }
            | Written { function: Some(Named { name, arguments }), .. } => Ok(Self { name, arguments }),
            _ => Err("a call lacks `name` or `arguments`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Answer;

    #[test]
    fn a_reply_is_the_last_message_of_a_conversation_if_it_is_the_model_s() {
        let user = serde_json::json!({"role": "user", "content": "?"});
        let reply = serde_json::json!({"role": "assistant", "content": null, "tool_calls": [
            {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{\"a\":1,\"a\":2}"}}]});
        let read = Answer::of_messages(&[user.clone(), reply.clone()]).expect("a reply");
        let calls = read.tool_calls.expect("calls");
        assert_eq!((read.content, calls[0].arguments.as_str()), (None, r#"{"a":1,"a":2}"#));
        assert_eq!(Answer::of_messages(&[reply, user]), None);
    }

    #[test]
    fn calls_are_read_bare_and_as_a_server_sends_them() {
        let read = |text: &str| serde_json::from_str::<Answer>(text);
        let bare = read(
            r#"{"content": null, "tool_calls": [{"name": "f", "arguments": "{\"a\": 1, \"a\": NaN}"}]}"#,
        );
        let bare = bare.expect("a reply");
        let sent = read(
            r#"{"role": "assistant", "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{\"a\": 1, \"a\": NaN}"}}]}"#,
        );
        assert_eq!(sent.expect("a reply"), bare);
        let written = serde_json::to_string(&bare).expect("JSON");
        assert_eq!(read(&written).expect("a reply"), bare);
        let faults =
            [r#"{"tool_calls": [{"name": "f"}]}"#, r#"{"tool_calls": [{"name": "f", "arguments": {}}]}"#];
        for fault in faults {
            assert!(read(fault).is_err(), "{fault}");
        }
        assert_eq!(read("{}").expect("a reply"), Answer::default());
        assert_ne!(read(r#"{"tool_calls": []}"#).expect("a reply"), Answer::default());
    }
}
