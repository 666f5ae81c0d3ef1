//! What an agent did beside its steps and calls, as it crosses.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What an agent of somebody else's did beside its steps and calls: in one attempt, or in all of a
/// run that ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AgentConduct {
    /// Attempts that this is of.
    pub attempts: u32,
    /// What only the replies of its model tell; null where it asked a model of its own.
    pub asked: Option<AgentCalls>,
    /// Seconds from the prompt to the first call of the model or a tool, the mean of the attempts
    /// with one; null where none had.
    pub startup_s: Option<f64>,
    /// Hosts that were asked for and not reached; null where nothing stood between it and the
    /// network, or nobody knows.
    pub hosts: Option<Vec<String>>,
    /// Whether these hosts may be those of attempts before this one, too.
    pub hosts_of_run: bool,
    /// Calls that came when their attempt was over, and were refused.
    pub after_end: u32,
    /// Attempts of which something outlived the agent, and had to be ended.
    pub outlived: u32,
    /// Attempts whose own file is not there or cannot be read: their hosts, late calls and what
    /// outlived them are unknown.
    pub unread: u32,
}

/// What an agent's model asked for beside the steps, and what was made of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AgentCalls {
    /// Calls of the model, those without an answer included.
    pub model_calls: u32,
    /// Answered calls of the model that are no steps, such as titles.
    pub side_calls: u32,
    /// Calls of the agent's own tools.
    pub own_calls: u32,
    /// The tools of these, the most called first; not every name is kept.
    pub own_tools: Vec<OwnTool>,
    /// Calls of the task's tools that the agent never made.
    pub unmade: u32,
    /// Calls whose arguments the agent changed.
    pub changed: u32,
    /// Calls that the agent made without being asked.
    pub by_agent: u32,
}

/// A tool that an agent brings along.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OwnTool {
    /// Its name, as the model called it.
    pub name: String,
    /// How often it was asked for.
    pub calls: u32,
}
