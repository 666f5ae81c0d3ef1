//! The checksum at the end of a line of a file that grows while a run is made or judged.

use crate::say;
use crate::sentence::Sentence;
use serde::Serialize;

/// What stands before it: eight hexadecimal digits of the CRC-32 of all before it.
const BEFORE: &[u8] = b",\"sum\":\"";
/// What stands behind it.
const AFTER: &[u8] = b"\"}";
/// Bytes of a line that are its checksum.
const BYTES: usize = BEFORE.len() + 8 + AFTER.len();

/// A value with at least one field, as a line with its checksum and line end.
///
/// # Errors
/// When a value in it has no JSON.
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
/// When the checksum is that of another content.
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

/// Of a line that must have one.
pub fn missing() -> Sentence {
    say!("it has no checksum")
}
