//! Vendors' API formats, called forms here.

use serde::{Deserialize, Serialize};

/// A vendor's format of requests and answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// OpenAI's Chat Completions.
    #[default]
    Chat,
    /// OpenAI's Responses.
    Responses,
    /// Anthropic's Messages.
    Messages,
    /// Gemini's generateContent.
    Gemini,
}
