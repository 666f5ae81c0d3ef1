//! Result of an agent check.

use koab_core::sentence::Sentence;
use serde::Serialize;
use ts_rs::TS;

/// Result of an agent check.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct AgentCheck {
    /// Name of the agent.
    pub name: String,
    /// Version that the agent reports.
    pub version: Option<String>,
    /// SHA-256 of the agent's definition.
    pub definition: String,
    /// Whether the agent ran in a container.
    pub contained: bool,
    /// Whether the agent can be used for a run: the call arrived, and the agent returned the
    /// answer.
    pub passed: bool,
    /// Seconds until the agent called its model for the first time.
    pub startup_s: Option<f64>,
    /// Seconds of the whole check.
    pub seconds: f64,
    /// API format of the agent's calls of its model.
    pub wire: Option<String>,
    /// Name under which the agent offered the task's tool to its model; `None` if it did not offer
    /// the tool.
    pub offered_as: Option<String>,
    /// Whether the agent offered the tool directly, and not only through a search for tools.
    pub offered_at_once: bool,
    /// Names of the agent's own tools that it offered to its model.
    pub own_tools: Vec<String>,
    /// Whether the model's call arrived at the task's tool.
    pub call_arrived: bool,
    /// Whether the agent's answer was exactly the answer of its model.
    pub answer_equal: bool,
    /// Whether the agent continues after failed calls until its model ends the attempt. Null if
    /// this was not tried.
    ///
    /// The behaviour is not tried if no call arrived or the agent returned no answer.
    pub goes_on_after_error: Option<bool>,
    /// Number of the agent's model calls that do not belong to the task.
    pub side_calls: u32,
    /// Whether a process of the agent was still running after the agent's end, so that koab ended
    /// it.
    pub outlived: bool,
    /// Hosts that the agent requested and did not reach.
    pub hosts_asked_for: Vec<String>,
    /// Problems that were found, with advice.
    pub traps: Vec<Sentence>,
}
