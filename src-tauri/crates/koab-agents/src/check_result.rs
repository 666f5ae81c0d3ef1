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
    /// Version that it reports.
    pub version: Option<String>,
    /// SHA-256 of its definition.
    pub definition: String,
    /// Whether it ran in a container.
    pub contained: bool,
    /// Whether the agent can be used for a run: the call arrived, and the answer came out.
    pub passed: bool,
    /// Seconds until it called its model for the first time.
    pub startup_s: Option<f64>,
    /// Seconds of the whole check.
    pub seconds: f64,
    /// API format of its calls of the model.
    pub wire: Option<String>,
    /// Name of the tool as it offered the tool to its model; `None` where it did not.
    pub offered_as: Option<String>,
    /// Whether it offered the tool directly, and not behind a search for tools.
    pub offered_at_once: bool,
    /// Tools of its own that it offered to its model.
    pub own_tools: Vec<String>,
    /// Whether the call arrived.
    pub call_arrived: bool,
    /// Whether the answer was exactly that of the model.
    pub answer_equal: bool,
    /// Whether it continues after failed calls until its model is done. Null where this was not
    /// tried, because no call arrived or no answer came out.
    pub goes_on_after_error: Option<bool>,
    /// Number of calls of the model other than those for the task.
    pub side_calls: u32,
    /// Whether a process that it started outlived it and had to be ended.
    pub outlived: bool,
    /// Hosts that it requested and did not reach.
    pub hosts_asked_for: Vec<String>,
    /// Problems that were found, with advice.
    pub traps: Vec<Sentence>,
}
