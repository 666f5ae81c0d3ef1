//! Messages and tools as variables of a template.

use serde_json::{Value, json};

/// Separator between texts that are joined in one message.
pub(super) const BETWEEN: &str = "\n\n";

/// Messages and tools as variables of a template.
#[derive(Clone, Debug)]
pub(super) struct Shaped {
    /// The messages, in OpenAI's form.
    pub(super) messages: Vec<Value>,
    /// The tools in OpenAI's form, or null.
    pub(super) tools: Value,
    /// Whether texts are given as lists of parts.
    pub(super) parts: bool,
}

impl Shaped {
    /// Bytes of the messages and tools as JSON.
    pub(super) fn bytes(&self) -> usize {
        let messages: usize = self.messages.iter().map(|message| message.to_string().len()).sum();
        messages + self.tools.to_string().len()
    }

    /// The `messages` variable of the template.
    pub(super) fn variable(&self) -> Value {
        let mut messages = self.messages.clone();
        for message in messages.iter_mut().filter(|_| self.parts) {
            if let Value::String(text) = message["content"].take() {
                message["content"] = json!([{"type": "text", "text": text}]);
            }
        }
        messages.into()
    }

    /// A copy in which neighbouring messages of one role are merged, or `None` if none can be.
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
