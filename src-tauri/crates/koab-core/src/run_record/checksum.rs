//! Checksum at the end of each line of a journal or a verdict file. Lines are only appended to
//! these files.

use crate::say;
use crate::sentence::Sentence;
use serde::Serialize;

/// Text before the checksum. The checksum is the CRC-32 of all preceding bytes of the line, as
/// eight hexadecimal digits.
const BEFORE: &[u8] = b",\"sum\":\"";
/// Text after the checksum.
const AFTER: &[u8] = b"\"}";
/// Number of bytes that the checksum and the line end add to a line.
const BYTES: usize = BEFORE.len() + 8 + AFTER.len();

/// Serializes a value as a line with a checksum and a line end. The value must have at least one
/// field.
///
/// # Errors
/// When the value cannot be written as JSON.
pub fn line_of(value: &impl Serialize) -> serde_json::Result<String> {
    let mut text = serde_json::to_string(value)?;
    text.pop();
    let sum = crc32fast::hash(text.as_bytes());
    text.push_str(&format!(",\"sum\":\"{sum:08x}\"}}\n"));
    Ok(text)
}

/// The line without its checksum and line end; `None` when it has no checksum.
///
/// # Errors
/// When the checksum does not match the content.
pub fn body_of(line: &[u8]) -> Result<Option<Vec<u8>>, Sentence> {
    let Some((body, sum)) = line.len().checked_sub(BYTES).and_then(|at| line.split_at_checked(at)) else {
        return Ok(None);
    };
    let digits = sum.strip_prefix(BEFORE).and_then(|sum| sum.strip_suffix(AFTER));
    let Some(digits) = digits else {
        return Ok(None);
    };
    if digits != format!("{:08x}", crc32fast::hash(body)).as_bytes() {
        return Err(say!("its checksum is wrong"));
    }
    Ok(Some([body, b"}"].concat()))
}

/// Error message for a line without the required checksum.
pub fn missing() -> Sentence {
    say!("it has no checksum")
}
