//! Parameters of messages that several modules parse.

use serde::Deserialize;
use serde_json::value::RawValue;

/// Parameters of `tools/call`.
#[derive(Deserialize)]
pub struct CallParams {
    /// Name of the tool.
    pub name: String,
    /// Arguments, letter for letter.
    #[serde(default)]
    pub arguments: Option<Box<RawValue>>,
}

/// Parameters of `notifications/cancelled`.
#[derive(Deserialize)]
pub struct CancelParams {
    /// Id of the cancelled request.
    #[serde(rename = "requestId")]
    pub id: Box<RawValue>,
}
