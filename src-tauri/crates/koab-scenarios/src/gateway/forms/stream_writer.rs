//! An answer told in pieces.

use serde_json::Value;

/// Tells one answer as a form's clients want it told. It begins with an answer that holds nothing
/// yet.
pub(in crate::gateway) trait StreamWriter: Send {
    /// A piece of text, as it came.
    fn text(&mut self, piece: &str) -> String;

    /// What of the whole answer is not told yet, and the end.
    fn finish(&mut self, whole: &Value) -> String;

    /// The end of an answer that broke off. `error` is the form's own.
    fn broken(&mut self, error: &Value) -> String;
}

/// What of a text is not told when this many bytes of it are.
pub(super) fn rest(text: &str, told: usize) -> &str {
    text.get(told..).unwrap_or_default()
}

/// An event without a name.
pub(super) fn data(data: &Value) -> String {
    format!("data: {data}\n\n")
}
