//! Calls as they are read, and what stands beside them.

/// What a model wrote, taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadText {
    /// The answer without reasoning and calls. Without calls it is the text as written.
    pub content: String,
    /// The calls in order.
    pub calls: Vec<ReadCall>,
    /// What stood in `<think>…</think>`. Calls in there are thoughts, not calls.
    pub reasoning: Option<String>,
}

/// A call as read. It has no id: those are made by the conversation, where they must be unique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadCall {
    /// Tool name, offered or not.
    pub name: String,
    /// Arguments as JSON text; what was there where it is not JSON.
    pub arguments: String,
}
