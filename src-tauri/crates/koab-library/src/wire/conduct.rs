//! Conduct of an agent apart from its steps and calls, as sent to the UI.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Conduct of an external agent apart from its steps and calls: its own tools, the hosts that it
/// tried to reach, and its calls and processes after the end of an attempt.
///
/// The figures cover one attempt, or all attempts of a run that have ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AgentConduct {
    /// Number of attempts that the figures of this conduct cover.
    pub attempts: u32,
    /// Figures that come from the calls of the agent's model; null if the agent called a model of
    /// its own.
    pub asked: Option<AgentCalls>,
    /// Mean seconds from the prompt to the first call of the model or a tool. Attempts without such
    /// a call do not count; null if no attempt has one.
    pub startup_s: Option<f64>,
    /// Hosts that the agent requested and could not reach. Null if nothing filtered the agent's
    /// network access, or if this is unknown.
    pub hosts: Option<Vec<String>>,
    /// Whether the hosts may also come from earlier attempts of the run.
    pub hosts_of_run: bool,
    /// Number of calls that arrived after the end of their attempt and were refused.
    pub after_end: u32,
    /// Number of attempts that ended while processes of the agent were still alive. These processes
    /// were killed.
    pub outlived: u32,
    /// Number of attempts whose own file is missing or unreadable. Their hosts, late calls and
    /// surviving processes are unknown.
    pub unread: u32,
}

/// Requests of the agent's model apart from the steps, and the agent's handling of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AgentCalls {
    /// Number of calls of the model, including calls without an answer.
    pub model_calls: u32,
    /// Number of answered calls of the model that are not steps, such as a request for a title.
    pub side_calls: u32,
    /// Number of calls of the agent's own tools.
    pub own_calls: u32,
    /// The agent's own tools with their calls, the most called first; the list may be incomplete.
    pub own_tools: Vec<OwnTool>,
    /// Number of calls of the task's tools that the model requested and the agent never made.
    pub unmade: u32,
    /// Number of calls whose arguments the agent changed.
    pub changed: u32,
    /// Number of calls that the agent made without a request of the model.
    pub by_agent: u32,
}

/// A tool that belongs to the agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OwnTool {
    /// Tool name, as the model called it.
    pub name: String,
    /// Number of calls that the model requested.
    pub calls: u32,
}
