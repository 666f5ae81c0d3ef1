//! Facts about runs and attempts of an agent, an external program that drives the model.

use super::TokenUsage;
use crate::say;
use crate::sentence::Sentence;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Number of hash characters that are shown for a container image.
const IMAGE_LETTERS: usize = 12;

/// The agent under test. The model of the run is the model that the agent called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentSpec {
    /// Name of the agent in its definition.
    pub name: String,
    /// Version that the agent reported; null if it reported none.
    pub version: Option<String>,
    /// SHA-256 of the agent's definition.
    pub definition: String,
    /// Kind of the agent, which determines how it is started and prompted: `command`, `acp`, `a2a`,
    /// `http`, or `mcp-host` for an agent that a person operates.
    pub kind: String,
    /// API of the agent's model calls (such as Chat Completions), from its definition.
    pub wire: Option<String>,
    /// Whether the agent ran in a container. Without a container it could reach the user's files
    /// and the network.
    #[serde(default)]
    pub contained: bool,
    /// Hash of the image of the agent's containers; null if it ran without a container.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// Whether the agent called a model of its own instead of the gateway. Then the user states the
    /// model of the run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own_model: bool,
}

impl AgentSpec {
    /// Name and version of the agent.
    pub fn label(&self) -> String {
        let version = self.version.iter().map(|version| format!(" {version}"));
        version.fold(self.name.clone(), |name, version| name + &version)
    }

    /// Whether a person carried the prompt and the answer between koab and the agent's program.
    pub fn is_by_hand(&self) -> bool {
        self.kind == "mcp-host"
    }

    /// Name, version, container use and image of the agent, for display. Without a container the
    /// agent could reach the user's files and the network.
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

/// Facts about an agent's attempt, in addition to its steps and calls.
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
    /// Number of calls of each of the agent's own tools. Only a limited number of tools is counted;
    /// records of earlier versions have no counts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub own_tools_by_name: BTreeMap<String, u32>,
    /// Number of calls of the task's tools that the model requested but the agent did not make.
    pub unmade: u32,
    /// Number of calls whose arguments the agent changed.
    pub changed: u32,
    /// Number of calls that the agent made without a request of the model. Each of them is a step.
    pub by_agent: u32,
    /// Seconds from the prompt to the first call of the model or a tool.
    pub startup_s: Option<f64>,
    /// Whether the model's replies were not recorded, so that calls which overlap in time belong to
    /// one step.
    ///
    /// Then all values that depend on replies are unknown: tokens, times to the first token, model
    /// calls and changed calls.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_arrival: bool,
}
