//! Size limits of answers. Sending costs a server nothing, but stored data costs memory here.
//!
//! Time limits do not make size limits unnecessary: a server on the same machine sends a gigabyte
//! in a second.

use koab_engine::ports::Message;
use serde_json::Value;
use std::borrow::Cow;

/// Maximum bytes of a body that is read whole.
pub(crate) const BODY_BYTES: usize = 32 << 20;

/// Maximum bytes of a line of a stream, of all lines of one event, and of one text in a JSON
/// document.
pub(crate) const LINE_BYTES: usize = 8 << 20;

/// Maximum bytes that are kept of a model's answers in one conversation.
///
/// The conversation, the next request, the log and the report each contain them, so they count
/// several times. No model writes half a million tokens in one conversation.
pub(crate) const KEPT_BYTES: usize = 2 << 20;

/// Maximum number of values in one JSON document. Eight bytes of text can become five hundred in
/// memory.
const VALUES: usize = 100_000;

/// Limit that an answer exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
pub(crate) enum LimitExceeded {
    #[error("it is longer than {} MiB", BODY_BYTES >> 20)]
    Body,
    #[error("a line of its stream is longer than {} MiB", LINE_BYTES >> 20)]
    Line,
    #[error("it holds more than {VALUES} values")]
    Values,
    #[error("a text in it is longer than {} MiB", LINE_BYTES >> 20)]
    Text,
    #[error("the answers of its conversation are longer than {} MiB together", KEPT_BYTES >> 20)]
    Kept,
}

impl LimitExceeded {
    /// The exceeded limit among an error and its causes.
    pub(crate) fn find_in(error: &(dyn std::error::Error + 'static)) -> Option<Self> {
        std::iter::successors(Some(error), |error| error.source())
            .find_map(|error| error.downcast_ref::<Self>().copied())
    }
}

/// The text of a body. Invalid UTF-8 is replaced, unless that makes the text too long.
pub(crate) fn text(body: &[u8]) -> Result<Cow<'_, str>, LimitExceeded> {
    if let Ok(text) = std::str::from_utf8(body) {
        return Ok(text.into());
    }
    let mut text = String::with_capacity(body.len());
    for piece in body.utf8_chunks() {
        text.push_str(piece.valid());
        if !piece.invalid().is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
        if text.len() > BODY_BYTES {
            return Err(LimitExceeded::Body);
        }
    }
    Ok(text.into())
}

/// Bytes of memory that the answers in a conversation take so far.
pub(crate) fn kept_of(messages: &[Message]) -> usize {
    let bytes = messages.iter().map(|message| match message {
        Message::Assistant { content, calls, opaque } => {
            let calls = calls.iter().map(|call| call.name.len() + call.arguments.len());
            content.len() + calls.sum::<usize>() + opaque.as_deref().map_or(0, size)
        }
        Message::System(_) | Message::User(_) | Message::Tool { .. } => 0,
    });
    bytes.sum()
}

/// Approximate size of a value in memory, in bytes.
pub(crate) fn size(value: &Value) -> usize {
    /// Bytes of a table of fields, even with only one field.
    const TABLE_BYTES: usize = 256;
    let inside = match value {
        Value::String(text) => text.len(),
        Value::Array(values) => values.iter().map(size).sum(),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| name.len() + size(value));
            TABLE_BYTES + fields.sum::<usize>()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    };
    size_of::<Value>() + inside
}

/// Checks that a JSON text has neither too many values nor a string that is too long.
pub(crate) fn is_roomy(json: &[u8]) -> Result<(), LimitExceeded> {
    values_in(json).map(|_| ())
}

/// Number of values in a JSON text: commas and opening brackets outside of strings, counted before
/// the text is parsed.
///
/// # Errors
/// When there are more than [`VALUES`], or a string is too long.
pub(super) fn values_in(json: &[u8]) -> Result<usize, LimitExceeded> {
    let (mut values, mut in_string, mut escaped, mut start) = (0_usize, false, false, 0);
    for (at, byte) in json.iter().enumerate() {
        match (in_string, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (true, b'"') => {
                in_string = false;
                if at - start > LINE_BYTES {
                    return Err(LimitExceeded::Text);
                }
            }
            (false, b'"') => (in_string, start) = (true, at),
            (false, b',' | b'[' | b'{') => values += 1,
            _ => {}
        }
    }
    if values > VALUES { Err(LimitExceeded::Values) } else { Ok(values) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_and_text_is_not() {
        let crowded = format!("[{}0]", "0,".repeat(VALUES));
        assert_eq!(is_roomy(crowded.as_bytes()), Err(LimitExceeded::Values));
        let text = serde_json::json!({ "content": "[{,\"\\".repeat(VALUES) }).to_string();
        assert_eq!(is_roomy(text.as_bytes()), Ok(()));
        let text = format!("[\"{}\\\"\"]", "x".repeat(LINE_BYTES));
        assert_eq!(is_roomy(text.as_bytes()), Err(LimitExceeded::Text));
    }

    #[test]
    fn what_is_no_text_is_replaced_while_there_is_room() {
        assert_eq!(text(b"a\xFF\xFEb").as_deref(), Ok("a\u{FFFD}\u{FFFD}b"));
        assert_eq!(text(&vec![0xFF; BODY_BYTES / 2]), Err(LimitExceeded::Body));
    }
}
