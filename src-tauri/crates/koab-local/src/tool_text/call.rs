//! Parsed calls, and the rest of the text.

/// A model's text, split into content, calls and reasoning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadText {
    /// The answer without reasoning and calls. Without calls it is the text as written.
    pub content: String,
    /// The calls in order.
    pub calls: Vec<ReadCall>,
    /// Content of `<think>…</think>`. Calls inside it count as reasoning, not as calls.
    pub reasoning: Option<String>,
}

/// A parsed call. It has no id: the conversation assigns ids, which must be unique there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadCall {
    /// Name of the tool, offered or not.
    pub name: String,
    /// Arguments as JSON text, or the unchanged text if it is not JSON.
    pub arguments: String,
}
