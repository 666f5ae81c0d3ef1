//! Replaces placeholders such as `{prompt}` in the texts of a definition with the values of an
//! attempt. Braces with an unknown name are not replaced.

use koab_core::say;
use koab_core::sentence::Sentence;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Values by the names of their placeholders.
#[derive(Clone, Default)]
pub(crate) struct Values(BTreeMap<&'static str, String>);

/// Facts about an attempt from which the values are created.
pub(crate) struct AttemptValues<'a> {
    pub(crate) prompt: &'a str,
    pub(crate) model: &'a str,
    pub(crate) token: &'a str,
    /// `host:port` of the run's listener.
    pub(crate) host: &'a str,
    pub(crate) folder: &'a Path,
    pub(crate) attempt: &'a str,
}

impl Values {
    /// Creates the values of an attempt.
    ///
    /// # Errors
    /// When the path of this program is not known. Agents that reach MCP servers only over standard
    /// streams start `koab agents bridge`, which forwards to the tools of the task.
    pub(crate) fn new(made: &AttemptValues<'_>) -> Result<Self, Sentence> {
        let AttemptValues { prompt, model, token, host, folder, attempt } = made;
        let (base, mcp) = (format!("http://{host}"), format!("http://{host}/mcp"));
        let place = |name: &str| folder.join(name).to_string_lossy().into_owned();
        let bridge =
            std::env::current_exe().map_err(|error| say!("the program's own file is not found: {error}"))?;
        let servers = json!({"mcpServers": {"koab": {"type": "http", "url": mcp,
            "headers": {"Authorization": format!("Bearer {token}")}}}});
        Ok(Self(BTreeMap::from([
            ("prompt", (*prompt).to_owned()),
            ("prompt_file", place("prompt.txt")),
            ("model", (*model).to_owned()),
            ("openai", format!("{base}/v1")),
            ("anthropic", base.clone()),
            ("gemini", base),
            ("token", (*token).to_owned()),
            ("mcp_token_url", format!("{mcp}/{token}")),
            ("mcp_stdio", format!("{} agents bridge", bridge.display())),
            ("koab", bridge.to_string_lossy().into_owned()),
            ("mcp_json", servers.to_string()),
            ("mcp", mcp),
            ("work", place("work")),
            ("home", place("home")),
            ("script", place("agent.py")),
            ("answer_file", place("answer.txt")),
            ("attempt", (*attempt).to_owned()),
        ])))
    }

    /// Adds a value.
    pub(crate) fn set(&mut self, name: &'static str, value: String) {
        self.0.insert(name, value);
    }

    /// Replaces the placeholders in a text.
    pub(crate) fn fill(&self, text: &str) -> String {
        self.filled(text, str::to_owned)
    }

    /// Replaces the placeholders in all texts of a JSON value.
    pub(crate) fn fill_value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.fill(text)),
            Value::Array(items) => items.iter().map(|item| self.fill_value(item)).collect(),
            Value::Object(fields) => {
                fields.iter().map(|(name, value)| (name.clone(), self.fill_value(value))).collect()
            }
            other => other.clone(),
        }
    }

    fn filled(&self, text: &str, write: impl Fn(&str) -> String) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('{') {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            let placeholder = rest.find('}').and_then(|end| Some((end, self.0.get(&rest[1..end])?)));
            match placeholder {
                // Inserted values are not searched again, because a prompt may have braces of its
                // own.
                Some((end, value)) => {
                    out.push_str(&write(value));
                    rest = &rest[end + 1..];
                }
                None => {
                    out.push('{');
                    rest = &rest[1..];
                }
            }
        }
        out + rest
    }
}

#[cfg(test)]
mod tests;
