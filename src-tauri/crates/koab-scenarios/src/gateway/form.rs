//! The names of the forms.

use serde::{Deserialize, Serialize};

/// A vendor's way to ask and to answer.
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
