//! Conduct of an agent apart from its steps and calls, as sent to the UI.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Conduct of an external agent apart from its steps and calls, in one attempt or in all attempts
/// of a run that ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AgentConduct {
    /// Number of attempts that these figures cover.
    pub attempts: u32,
    /// Figures that only the replies of the agent's model contain; null where the agent called a
    /// model of its own.
    pub asked: Option<AgentCalls>,
    /// Mean seconds from the prompt to the first call of the model or a tool, over the attempts
    /// with such a call; null without any.
    pub startup_s: Option<f64>,
    /// Hosts that the agent requested and could not reach. Null where nothing filtered its network
    /// access, or where that is unknown.
    pub hosts: Option<Vec<String>>,
    /// Whether the hosts may also come from earlier attempts of the run.
    pub hosts_of_run: bool,
    /// Calls that arrived after the end of their attempt and were refused.
    pub after_end: u32,
    /// Attempts after which processes of the agent were still alive and had to be ended.
    pub outlived: u32,
    /// Attempts whose own file is missing or unreadable: their hosts, late calls and surviving
    /// processes are unknown.
    pub unread: u32,
}

/// Requests of the agent's model apart from the steps, and the agent's handling of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AgentCalls {
    /// Calls of the model, including those without an answer.
    pub model_calls: u32,
    /// Answered calls of the model that are not steps, such as a request for a title.
    pub side_calls: u32,
    /// Calls of the agent's own tools.
    pub own_calls: u32,
    /// The agent's own tools with their calls, the most called first; the list may be incomplete.
    pub own_tools: Vec<OwnTool>,
    /// Calls of the task's tools that the model requested and the agent never made.
    pub unmade: u32,
    /// Calls whose arguments the agent changed.
    pub changed: u32,
    /// Calls that the agent made without a request of the model.
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
