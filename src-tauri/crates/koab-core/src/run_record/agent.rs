//! Facts of runs and attempts whose model was driven by an agent, an external program.

use super::TokenUsage;
use crate::say;
use crate::sentence::Sentence;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Number of characters shown of an image's hash.
const IMAGE_LETTERS: usize = 12;

/// The agent under test. The run's model is the one that the agent called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentSpec {
    /// Name in the agent's definition.
    pub name: String,
    /// Version that the agent reported; null if it reported none.
    pub version: Option<String>,
    /// SHA-256 of the agent's definition.
    pub definition: String,
    /// Kind of agent, by how it is started and prompted: `command`, `acp`, `a2a`, `http`, or
    /// `mcp-host` by hand.
    pub kind: String,
    /// API form of the agent's model calls, from its definition.
    pub wire: Option<String>,
    /// Whether the agent ran in a container. Without one it could reach the user's files and
    /// network.
    #[serde(default)]
    pub contained: bool,
    /// Hash of the image of the agent's containers; null if it ran without a container.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// Whether the agent called a model of its own instead of the gateway. The run's model is then
    /// the one that the user names.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own_model: bool,
}

impl AgentSpec {
    /// Name and version of the agent.
    pub fn label(&self) -> String {
        let version = self.version.iter().map(|version| format!(" {version}"));
        version.fold(self.name.clone(), |name, version| name + &version)
    }

    /// Whether a person carried prompt and answer between koab and a program of their own.
    pub fn is_by_hand(&self) -> bool {
        self.kind == "mcp-host"
    }

    /// Name, version, containment and image of the agent, for people. Without a container it could
    /// reach the user's files and network.
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

/// Facts of an agent's attempt in addition to its steps and calls.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AgentFacts {
    /// Number of model calls, including those without an answer.
    pub model_calls: u32,
    /// Number of answered model calls that are not steps, such as calls for titles.
    pub side_calls: u32,
    /// Tokens of the answered model calls that are not steps.
    pub side_usage: TokenUsage,
    /// Number of calls of the agent's own tools that the model requested.
    pub own_tools: u32,
    /// Number of calls of each of the agent's own tools, for a limited number of tools; empty in
    /// records of earlier versions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub own_tools_by_name: BTreeMap<String, u32>,
    /// Number of calls of the task's tools that the model requested and the agent never made.
    pub unmade: u32,
    /// Number of calls whose arguments the agent changed.
    pub changed: u32,
    /// Number of calls that no reply of the model requested; each is a step.
    pub by_agent: u32,
    /// Seconds from the prompt to the first call of the model or a tool.
    pub startup_s: Option<f64>,
    /// Whether no reply of the model was recorded, so that calls which overlap in time share a
    /// step.
    ///
    /// Everything that depends on replies is then unknown, here and in the steps: tokens, times to
    /// the first token, model calls, changed calls.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_arrival: bool,
}
