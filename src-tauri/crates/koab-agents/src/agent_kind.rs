//! Properties of a definition that depend on the kind of its agent.

use crate::definition::{Definition, Kind};
use serde_json::Value;

impl Definition {
    /// Whether the agent can run with a model of its own, which the gateway does not serve.
    pub fn can_own_model(&self) -> bool {
        self.own_model.is_some() || self.is_by_hand()
    }

    /// Whether a person copies the prompt to the agent and the answer back. Such an agent calls a
    /// model of its own.
    pub fn is_by_hand(&self) -> bool {
        self.kind == Kind::McpHost
    }

    /// Whether the agent is a server that koab does not start, because it is running already.
    pub(crate) fn runs_already(&self) -> bool {
        matches!(self.kind, Kind::Http | Kind::A2a) && self.command.is_empty()
    }

    /// Whether a request to the server contains the token or the address of its attempt.
    pub(crate) fn tells_of_attempt(&self) -> bool {
        let request = self.request.as_ref().map(Value::to_string).unwrap_or_default();
        let tells = ["{token}", "{mcp_token_url}", "{mcp_json}"];
        tells.iter().any(|value| request.contains(value))
    }
}
