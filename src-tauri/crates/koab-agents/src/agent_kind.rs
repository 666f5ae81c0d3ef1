//! Properties of a definition that depend on the kind of its agent.

use crate::definition::{Definition, Kind};
use serde_json::Value;

impl Definition {
    /// Whether the agent can run with a model of its own.
    pub fn can_own_model(&self) -> bool {
        self.own_model.is_some() || self.is_by_hand()
    }

    /// Whether a person carries prompt and answer. Such an agent calls a model of its own.
    pub fn is_by_hand(&self) -> bool {
        self.kind == Kind::McpHost
    }

    /// Whether it is a server that is running already, so that it is not started for an attempt.
    pub(crate) fn runs_already(&self) -> bool {
        matches!(self.kind, Kind::Http | Kind::A2a) && self.command.is_empty()
    }

    /// Whether the requests to the server tell it of each attempt.
    pub(crate) fn tells_of_attempt(&self) -> bool {
        let request = self.request.as_ref().map(Value::to_string).unwrap_or_default();
        let tells = ["{token}", "{mcp_token_url}", "{mcp_json}"];
        tells.iter().any(|value| request.contains(value))
    }
}
