//! Parameters of messages that more than one part reads.

use serde::Deserialize;
use serde_json::value::RawValue;

/// Of `tools/call`.
#[derive(Deserialize)]
pub struct CallParams {
    /// The tool.
    pub name: String,
    /// Its arguments, letter for letter.
    #[serde(default)]
    pub arguments: Option<Box<RawValue>>,
}

/// Of `notifications/cancelled`.
#[derive(Deserialize)]
pub struct CancelParams {
    /// The request that is taken back.
    #[serde(rename = "requestId")]
    pub id: Box<RawValue>,
}
