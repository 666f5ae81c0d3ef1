//! Storage of recorded answers in the database: small ones as text, large ones compressed.
//!
//! The type of the stored value is text or blob, and shows whether it is compressed. So rows of
//! earlier versions stay readable.
//!
//! Zstandard reduces the 4,582 published answers (38.6 MB, half of them over 7 kB) to 0.38 of their
//! size, at 12 µs per look-up; parsing an answer's JSON takes about 60 µs. A dictionary trained on
//! a thousand answers would reduce them to 0.31, but no answer could be read without it. The
//! difference is not worth that.

use crate::error::{Error, Result};
use koab_core::say;
use rusqlite::ToSql;
use rusqlite::types::{ToSqlOutput, ValueRef};
use std::borrow::Cow;
use std::cell::RefCell;
use zstd::bulk::{Compressor, Decompressor};

/// Minimum size of a text to be compressed, in bytes. Compressing shorter texts saves little, and
/// their rows fit into a page anyway.
const MIN_COMPRESSED_BYTES: usize = 512;
/// Zstandard's compression level. Higher ones cost more time for little gain.
const ZSTD_LEVEL: i32 = 3;
/// Maximum size of an answer in bytes. It limits the memory that a damaged row can take.
const MAX_ANSWER_BYTES: usize = 256 << 20;

thread_local! {
    // Creating one takes longer than compressing or decompressing a text.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// A text, encoded for storage.
pub(crate) enum Packed<'a> {
    Text(&'a str),
    Compressed(Vec<u8>),
}

impl ToSql for Packed<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Text(text) => ToSqlOutput::from(*text),
            Self::Compressed(bytes) => ToSqlOutput::from(bytes.as_slice()),
        })
    }
}

/// Compresses a text if that makes it smaller.
pub(crate) fn pack(text: &str) -> Packed<'_> {
    if text.len() < MIN_COMPRESSED_BYTES {
        return Packed::Text(text);
    }
    let compressed = COMPRESSOR.with_borrow_mut(|kept| {
        let mut compressor = kept.take().or_else(|| Compressor::new(ZSTD_LEVEL).ok())?;
        let compressed = compressor.compress(text.as_bytes()).ok();
        *kept = Some(compressor);
        compressed
    });
    match compressed {
        Some(bytes) if bytes.len() < text.len() => Packed::Compressed(bytes),
        _ => Packed::Text(text),
    }
}

/// Bytes of a stored text. They are borrowed unless the text is compressed.
pub(crate) fn unpack(value: ValueRef<'_>) -> Result<Cow<'_, [u8]>> {
    match value {
        ValueRef::Text(text) => Ok(Cow::Borrowed(text)),
        ValueRef::Blob(bytes) => decompressed(bytes).map(Cow::Owned),
        _ => Err(damaged()),
    }
}

/// Stored text as [`unpack`] returns it, checked to be UTF-8.
pub(crate) fn unpack_str(value: ValueRef<'_>) -> Result<Cow<'_, str>> {
    match unpack(value)? {
        Cow::Borrowed(bytes) => std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|_| damaged()),
        Cow::Owned(bytes) => String::from_utf8(bytes).map(Cow::Owned).map_err(|_| damaged()),
    }
}

/// Stored text as an owned string.
pub(crate) fn unpack_text(value: ValueRef<'_>) -> Result<String> {
    unpack_str(value).map(Cow::into_owned)
}

fn decompressed(bytes: &[u8]) -> Result<Vec<u8>> {
    let frame_length = zstd::zstd_safe::get_frame_content_size(bytes).ok().flatten();
    let length = frame_length.and_then(|length| usize::try_from(length).ok());
    let length = length.filter(|length| *length <= MAX_ANSWER_BYTES).ok_or_else(damaged)?;
    DECOMPRESSOR.with_borrow_mut(|kept| {
        let mut decompressor = match kept.take() {
            Some(decompressor) => decompressor,
            None => Decompressor::new().map_err(|_| damaged())?,
        };
        let text = decompressor.decompress(bytes, length);
        *kept = Some(decompressor);
        text.map_err(|_| damaged())
    })
}

fn damaged() -> Error {
    Error::BadFile(say!("a cached response in koab.sqlite is damaged; import the pack again"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn stored(text: &str) -> Vec<u8> {
        match pack(text) {
            Packed::Text(text) => text.as_bytes().to_vec(),
            Packed::Compressed(bytes) => bytes,
        }
    }

    proptest! {
        #[test]
        fn every_text_comes_back(words in prop::collection::vec("[가-힣a-z0-9 \"\\\\]{0,12}", 0..300)) {
            let text = words.join(",");
            let packed = pack(&text);
            let value = match &packed {
                Packed::Text(text) => ValueRef::Text(text.as_bytes()),
                Packed::Compressed(bytes) => ValueRef::Blob(bytes),
            };
            prop_assert!(text.len() < MIN_COMPRESSED_BYTES || matches!(packed, Packed::Compressed(_)));
            prop_assert_eq!(unpack_text(value).expect("read"), text);
        }

        #[test]
        fn a_damaged_row_is_told_and_takes_no_memory(
            at in 0_usize..40,
            byte in any::<u8>(),
            cut in 1_usize..40,
        ) {
            let text = "같은 말 ".repeat(200);
            let mut bytes = stored(&text);
            bytes.truncate(bytes.len() - cut.min(bytes.len() - 1));
            let place = at % bytes.len();
            bytes[place] ^= byte;
            // A flipped bit may leave another text, as there is no checksum; but never one that is
            // longer than told, and no panic.
            if let Ok(text) = unpack(ValueRef::Blob(&bytes)) {
                prop_assert!(text.len() <= MAX_ANSWER_BYTES);
            }
        }
    }

    #[test]
    fn what_is_no_answer_is_damaged() {
        for value in [ValueRef::Null, ValueRef::Integer(1), ValueRef::Blob(b"no frame"), ValueRef::Blob(b"")]
        {
            let error = unpack(value).expect_err("damaged").to_string();
            assert!(error.contains("import the pack again"), "{error}");
        }
    }
}
