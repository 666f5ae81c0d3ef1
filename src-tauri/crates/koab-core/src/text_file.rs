//! Text files as people and programs save them: with a byte order mark, in UTF-16, or with Windows
//! line ends.
//!
//! This module reads every file that a person may have edited. A byte order mark that stays in a
//! text would be sent to models, hide the first field of a table, and make JSON unreadable.

use crate::say;
use crate::sentence::{Sentence, ToSentence};

/// Bytes that are not UTF-8 text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
pub enum NotText {
    /// The bytes are UTF-16, which Windows calls "Unicode".
    #[error("is UTF-16, not UTF-8; save it as UTF-8")]
    Utf16,
    /// The bytes are neither UTF-8 nor UTF-16.
    #[error("is not UTF-8 text")]
    Other,
}

/// The text of a file that was just read, without a byte order mark.
///
/// # Errors
/// When the file could not be read, or is not UTF-8.
pub fn text_of<E: ToSentence>(read: Result<Vec<u8>, E>) -> Result<String, Sentence> {
    let bytes = read.map_err(|error| say!("cannot be read: {error}"))?;
    decode(bytes).map_err(|why| why.to_sentence())
}

/// The text of a file, without a byte order mark.
///
/// # Errors
/// When the bytes are not UTF-8.
pub fn decode(bytes: Vec<u8>) -> Result<String, NotText> {
    let is_utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) || has_zeros(&bytes);
    if is_utf16 {
        return Err(NotText::Utf16);
    }
    let text = String::from_utf8(bytes).map_err(|_| NotText::Other)?;
    Ok(unmarked(text))
}

/// Whether every other byte is zero, as in UTF-16 text with Latin letters. UTF-8 text contains no
/// zeros.
fn has_zeros(bytes: &[u8]) -> bool {
    matches!(bytes, [0, second, 0, fourth, ..] | [second, 0, fourth, 0, ..] if *second != 0 && *fourth != 0)
}

/// Removes a byte order mark from a text.
pub fn unmarked(mut text: String) -> String {
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    text
}

/// The text of a file for people or models, without a byte order mark and with LF line ends.
///
/// # Errors
/// The errors of [`decode`].
pub fn decode_prose(bytes: Vec<u8>) -> Result<String, NotText> {
    let text = decode(bytes)?;
    Ok(if text.contains('\r') { text.replace("\r\n", "\n") } else { text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_however_they_were_saved() {
        let utf16 = |text: &str, mark: &[u8]| -> Vec<u8> {
            let units = text.encode_utf16().flat_map(u16::to_le_bytes);
            mark.iter().copied().chain(units).collect()
        };
        for (bytes, wanted) in [
            ("가\r\n나".as_bytes().to_vec(), Ok("가\r\n나")),
            ("\u{feff}{}".as_bytes().to_vec(), Ok("{}")),
            ("a\u{feff}b".as_bytes().to_vec(), Ok("a\u{feff}b")),
            (Vec::new(), Ok("")),
            (utf16("[1]", &[0xff, 0xfe]), Err(NotText::Utf16)),
            (utf16("[1]", &[]), Err(NotText::Utf16)),
            (vec![0xfe, 0xff, 0, b'a'], Err(NotText::Utf16)),
            (vec![0, b'[', 0, b']'], Err(NotText::Utf16)),
            (vec![0xb0, 0xa1], Err(NotText::Other)),
        ] {
            assert_eq!(decode(bytes.clone()).as_deref(), wanted.as_ref().copied(), "{bytes:?}");
        }
        assert_eq!(decode_prose("\u{feff}가\r\n나".into()), Ok("가\n나".to_owned()));
    }
}
