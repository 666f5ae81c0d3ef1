//! Writer of streamed answers.

use serde_json::Value;

/// Writes the events of one streamed answer in a form. A writer is created from an answer without
/// content.
pub(crate) trait StreamWriter: Send {
    /// Events for a piece of text, as the model wrote it.
    fn text(&mut self, piece: &str) -> String;

    /// Events for the part of the complete answer that has not been sent, and for the end of the
    /// answer.
    fn finish(&mut self, whole: &Value) -> String;

    /// Events for the end of an answer that failed. `error` is the body of the form's error.
    fn broken(&mut self, error: &Value) -> String;
}

/// Part of a text after its first `sent` bytes.
pub(super) fn rest(text: &str, sent: usize) -> &str {
    text.get(sent..).unwrap_or_default()
}

/// A server-sent event without a name.
pub(super) fn data(data: &Value) -> String {
    format!("data: {data}\n\n")
}
