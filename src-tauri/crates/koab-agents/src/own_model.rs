//! What a definition has instead where its agent asks a model of its own.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// What a definition has instead where its agent asks a model of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnModel {
    /// Variables with its keys, such as `OPENAI_API_KEY`; their values come from the user's
    /// `KOAB_AGENT_OPENAI_API_KEY`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
    /// Instead of the definition's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
    /// Instead of the definition's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<BTreeMap<String, String>>,
    /// Instead of the definition's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub env: Option<BTreeMap<String, String>>,
    /// Instead of the definition's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Value>,
}
