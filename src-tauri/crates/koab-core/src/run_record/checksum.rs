//! Checksum at the end of each line of the files that grow while a run is made or judged.

use crate::say;
use crate::sentence::Sentence;
use serde::Serialize;

/// Bytes before the checksum, which is the CRC-32 of all bytes before these as eight hexadecimal
/// digits.
const BEFORE: &[u8] = b",\"sum\":\"";
/// Bytes after the checksum.
const AFTER: &[u8] = b"\"}";
/// Length of the end of a line with its checksum, in bytes.
const BYTES: usize = BEFORE.len() + 8 + AFTER.len();

/// Serializes a value with at least one field as a line with its checksum and line end.
///
/// # Errors
/// The value cannot be written as JSON.
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
/// The checksum does not match the content.
pub fn body_of(line: &[u8]) -> Result<Option<Vec<u8>>, Sentence> {
    let Some((body, sum)) = line.len().checked_sub(BYTES).and_then(|at| line.split_at_checked(at)) else {
        return Ok(None);
    };
    let digits = sum.strip_prefix(BEFORE).and_then(|sum| sum.strip_suffix(AFTER));
    let Some(digits) = digits else {
        return Ok(None);
    };
    if digits != format!("{:08x}", crc32fast::hash(body)).as_bytes() {
        return Err(say!("its checksum is that of another content"));
    }
    Ok(Some([body, b"}"].concat()))
}

/// Message for a line whose required checksum is missing.
pub fn missing() -> Sentence {
    say!("it has no checksum")
}
