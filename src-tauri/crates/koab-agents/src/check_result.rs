//! What a check of an agent came to.

use koab_core::sentence::Sentence;
use serde::Serialize;
use ts_rs::TS;

/// What a check came to.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct AgentCheck {
    /// The agent.
    pub name: String,
    /// The version that it says it has.
    pub version: Option<String>,
    /// SHA-256 of its definition.
    pub definition: String,
    /// Whether it ran in a container.
    pub contained: bool,
    /// Whether a run with it makes sense: the call arrived, and the answer came out.
    pub passed: bool,
    /// Seconds until it first called its model.
    pub startup_s: Option<f64>,
    /// Seconds of the whole.
    pub seconds: f64,
    /// Form in which it asked its model.
    pub wire: Option<String>,
    /// Name under which it offered the tool; `None` where it did not.
    pub offered_as: Option<String>,
    /// Whether it offered the tool at once, and not behind a search.
    pub offered_at_once: bool,
    /// Tools of its own that it offered.
    pub own_tools: Vec<String>,
    /// Whether the call arrived.
    pub call_arrived: bool,
    /// Whether the answer came out letter for letter.
    pub answer_equal: bool,
    /// Whether it goes on when calls fail, until its model is done; null where that was not tried,
    /// since no call arrived or no answer came out.
    pub goes_on_after_error: Option<bool>,
    /// Calls of the model beside those of the task.
    pub side_calls: u32,
    /// Whether something that it started outlived it, and had to be ended.
    pub outlived: bool,
    /// Hosts that it asked for and did not get.
    pub hosts_asked_for: Vec<String>,
    /// What is wrong, and what helps.
    pub traps: Vec<Sentence>,
}
