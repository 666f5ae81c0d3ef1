//! Settings of a definition for an agent that calls a model of its own.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Settings of a definition for an agent that calls a model of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnModel {
    /// Names of the variables for keys, such as `OPENAI_API_KEY`. The value comes from the user's
    /// variable `KOAB_AGENT_OPENAI_API_KEY`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
    /// Command that replaces the definition's own command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
    /// Files that replace the definition's own files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<BTreeMap<String, String>>,
    /// Environment variables that replace the definition's own variables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub env: Option<BTreeMap<String, String>>,
    /// Request that replaces the definition's own request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Value>,
}
