//! Messages and tools as a template's variables.

use serde_json::{Value, json};

/// What stands between texts that share a message.
pub(super) const BETWEEN: &str = "\n\n";

/// Messages and tools as variables of a template.
#[derive(Clone, Debug)]
pub(super) struct Shaped {
    /// The messages.
    pub(super) messages: Vec<Value>,
    /// The tools in OpenAI's form, or null.
    pub(super) tools: Value,
    /// Whether texts are given as lists of parts.
    pub(super) parts: bool,
}

impl Shaped {
    /// Bytes of text in all.
    pub(super) fn bytes(&self) -> usize {
        let messages: usize = self.messages.iter().map(|message| message.to_string().len()).sum();
        messages + self.tools.to_string().len()
    }

    /// The messages as the template sees them.
    pub(super) fn variable(&self) -> Value {
        let mut messages = self.messages.clone();
        for message in messages.iter_mut().filter(|_| self.parts) {
            if let Value::String(text) = message["content"].take() {
                message["content"] = json!([{"type": "text", "text": text}]);
            }
        }
        messages.into()
    }

    /// The same with neighbours of one role made one, or `None` where there are none.
    pub(super) fn taking_turns(&self) -> Option<Self> {
        let mut messages: Vec<Value> = Vec::new();
        for message in &self.messages {
            let plain = |message: &Value| message.get("tool_calls").is_none() && message["role"] != "tool";
            match messages.last_mut() {
                Some(last) if last["role"] == message["role"] && plain(last) && plain(message) => {
                    let texts =
                        [&last["content"], &message["content"]].map(|text| text.as_str().unwrap_or_default());
                    let joined = texts.join(BETWEEN);
                    last["content"] = joined.into();
                }
                _ => messages.push(message.clone()),
            }
        }
        (messages.len() < self.messages.len()).then(|| Self {
            messages,
            tools: self.tools.clone(),
            parts: self.parts,
        })
    }
}
