//! What a model replied, letter for letter.

use serde::{Deserialize, Serialize};

/// One reply, as it came and as it is kept: doubled keys, `NaN` and `1` against `1.0` decide verdicts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Its text; `None` where the server sent null or nothing.
    #[serde(default)]
    pub content: Option<String>,
    /// Its calls; `None` where the server sent null or nothing, which is not the same as an empty list.
    #[serde(default)]
    pub tool_calls: Option<Vec<Call>>,
}

/// One call of a reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The tool's name as the model wrote it.
    pub name: String,
    /// The arguments as text, unread.
    pub arguments: String,
}
