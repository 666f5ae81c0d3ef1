//! What a model replied, letter for letter.

use serde::{Deserialize, Serialize};

/// One reply, as it came and as it is kept: doubled keys, `NaN` and `1` against `1.0` decide verdicts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Its text; `None` where the server sent null or nothing.
    #[serde(default)]
    pub content: Option<String>,
    /// Its calls; `None` where the server sent null or nothing, which is not the same as an empty list.
    #[serde(default)]
    pub tool_calls: Option<Vec<Call>>,
}

/// One call of a reply. It is read in the form of a server's message, too, where both lie in `function`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written")]
pub struct Call {
    /// The tool's name as the model wrote it.
    pub name: String,
    /// The arguments as text, unread.
    pub arguments: String,
}

impl Answer {
    /// The reply of an attempt: the last message that is the model's, as it was kept; `None` where there is none that can be read.
    pub fn of_messages(messages: &[serde_json::Value]) -> Option<Self> {
        let last = messages.last().filter(|message| message["role"] == "assistant")?;
        Self::deserialize(last).ok()
    }
}

/// A call as files have it.
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
            Written {
                name: Some(name),
                arguments: Some(arguments),
                ..
            }
            | Written {
                function: Some(Named { name, arguments }),
                ..
            } => Ok(Self { name, arguments }),
            _ => Err("a call lacks `name` or `arguments`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Answer;

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
        let faults = [
            r#"{"tool_calls": [{"name": "f"}]}"#,
            r#"{"tool_calls": [{"name": "f", "arguments": {}}]}"#,
        ];
        for fault in faults {
            assert!(read(fault).is_err(), "{fault}");
        }
        assert_eq!(read("{}").expect("a reply"), Answer::default());
        assert_ne!(read(r#"{"tool_calls": []}"#).expect("a reply"), Answer::default());
    }
}
