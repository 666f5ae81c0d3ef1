//! Recorded answers as they lie in the database: small ones as text, large ones compressed.
//!
//! The type of the stored value says which it is, text or blob, so rows of earlier versions read as
//! they are. Of the 4,582 published answers (38.6 MB, half of them over 7 kB) Zstandard leaves 0.38
//! at 12 µs a look-up, beside some 60 µs for reading the answer's JSON. A dictionary trained on a
//! thousand of them leaves 0.31; that it would have to be kept, found and never lost for any answer
//! to be read is not worth the difference.

use crate::error::{Error, Result};
use koab_core::say;
use rusqlite::ToSql;
use rusqlite::types::{ToSqlOutput, ValueRef};
use std::borrow::Cow;
use std::cell::RefCell;
use zstd::bulk::{Compressor, Decompressor};

/// Texts shorter than this stay as they are: they save little, and their rows fit their page
/// anyway.
const WORTH: usize = 512;
/// The level at which more work stops paying.
const LEVEL: i32 = 3;
/// No answer is longer; a damaged row does not take more memory than this.
const LONGEST: usize = 256 << 20;

thread_local! {
    // Each takes more to make than a text takes to compress or to read.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// A text on its way into the database.
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

/// Compresses a text where that makes it smaller.
pub(crate) fn pack(text: &str) -> Packed<'_> {
    if text.len() < WORTH {
        return Packed::Text(text);
    }
    let compressed = COMPRESSOR.with_borrow_mut(|kept| {
        let mut compressor = kept.take().or_else(|| Compressor::new(LEVEL).ok())?;
        let compressed = compressor.compress(text.as_bytes()).ok();
        *kept = Some(compressor);
        compressed
    });
    match compressed {
        Some(bytes) if bytes.len() < text.len() => Packed::Compressed(bytes),
        _ => Packed::Text(text),
    }
}

/// The bytes of a text from the database, where they lie if they lie there as they are.
pub(crate) fn unpack(value: ValueRef<'_>) -> Result<Cow<'_, [u8]>> {
    match value {
        ValueRef::Text(text) => Ok(Cow::Borrowed(text)),
        ValueRef::Blob(bytes) => decompressed(bytes).map(Cow::Owned),
        _ => Err(damaged()),
    }
}

/// The same, checked to be text.
pub(crate) fn unpack_str(value: ValueRef<'_>) -> Result<Cow<'_, str>> {
    match unpack(value)? {
        Cow::Borrowed(bytes) => std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|_| damaged()),
        Cow::Owned(bytes) => String::from_utf8(bytes).map(Cow::Owned).map_err(|_| damaged()),
    }
}

/// The same as a text of one's own.
pub(crate) fn unpack_text(value: ValueRef<'_>) -> Result<String> {
    unpack_str(value).map(Cow::into_owned)
}

fn decompressed(bytes: &[u8]) -> Result<Vec<u8>> {
    let told = zstd::zstd_safe::get_frame_content_size(bytes).ok().flatten();
    let length = told.and_then(|length| usize::try_from(length).ok());
    let length = length.filter(|length| *length <= LONGEST).ok_or_else(damaged)?;
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
            prop_assert!(text.len() < WORTH || matches!(packed, Packed::Compressed(_)));
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
                prop_assert!(text.len() <= LONGEST);
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
