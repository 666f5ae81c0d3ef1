//! What a run and its attempts have where an agent of somebody else's drove the model.

use super::TokenUsage;
use crate::say;
use crate::sentence::Sentence;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Letters of an image's hash that are shown.
const IMAGE_LETTERS: usize = 12;

/// The agent under test; the run's model is the one that it called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentSpec {
    /// Name in its definition.
    pub name: String,
    /// What it said of its own version; null when it does not say.
    pub version: Option<String>,
    /// SHA-256 of its definition.
    pub definition: String,
    /// How it is started and asked: `command`, `acp`, `a2a`, `http`, or `mcp-host` by hand.
    pub kind: String,
    /// The form in which it asks its model, as its definition says.
    pub wire: Option<String>,
    /// Whether it ran in a container. What did not could reach the user's files and network.
    #[serde(default)]
    pub contained: bool,
    /// The hash of the image that its containers were made of; null where it ran in none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// Whether it asked a model of its own, past the gateway; the run's model is then the one that
    /// its user names.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own_model: bool,
}

impl AgentSpec {
    /// Name and version.
    pub fn label(&self) -> String {
        let version = self.version.iter().map(|version| format!(" {version}"));
        version.fold(self.name.clone(), |name, version| name + &version)
    }

    /// Whether a person carried prompt and answer between koab and a program of their own.
    pub fn is_by_hand(&self) -> bool {
        self.kind == "mcp-host"
    }

    /// The same, how it was kept and in which image: what ran without a container could reach the
    /// user's files and network.
    pub fn shown(&self) -> Sentence {
        let name = self.label();
        let image = self.image.as_deref().map(|id| id.trim_start_matches("sha256:"));
        let image = image.and_then(|id| id.get(..IMAGE_LETTERS));
        match (self.contained, image) {
            _ if self.is_by_hand() => say!("{name} (by hand, with its own model)"),
            _ if self.own_model => say!("{name} (native, not contained, with its own model)"),
            (true, Some(image)) => say!("{name} (contained, image {image})"),
            (true, None) => say!("{name} (contained)"),
            (false, _) => say!("{name} (native, not contained)"),
        }
    }
}

/// What is known of an agent's attempt beside its steps and calls.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AgentFacts {
    /// Calls of the model, those without an answer included.
    pub model_calls: u32,
    /// Answered calls of the model that are no steps, such as titles.
    pub side_calls: u32,
    /// Tokens of those.
    pub side_usage: TokenUsage,
    /// Calls of the agent's own tools that the model asked for.
    pub own_tools: u32,
    /// The same by the tool's name, of as many names as are kept; nothing in records of earlier
    /// versions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub own_tools_by_name: BTreeMap<String, u32>,
    /// Calls of the task's tools that the model asked for and the agent never made.
    pub unmade: u32,
    /// Calls whose arguments the agent changed.
    pub changed: u32,
    /// Calls that no reply of the model asked for; each is a step.
    pub by_agent: u32,
    /// Seconds from the prompt to the first call of the model or a tool.
    pub startup_s: Option<f64>,
    /// Whether no reply of the model was seen, so that calls which overlap in time share a step.
    /// All that hangs on replies is then unknown, here and in the steps: tokens, times to the first
    /// token, model calls, calls that were changed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_arrival: bool,
}
