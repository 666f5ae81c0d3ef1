//! Settings of a definition for an agent that calls a model of its own.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Settings of a definition for an agent that calls a model of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnModel {
    /// Variables of the keys, such as `OPENAI_API_KEY`. The value comes from the user's variable
    /// `KOAB_AGENT_OPENAI_API_KEY`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
    /// Command instead of the definition's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
    /// Files instead of the definition's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<BTreeMap<String, String>>,
    /// Variables instead of the definition's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub env: Option<BTreeMap<String, String>>,
    /// Request instead of the definition's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Value>,
}
