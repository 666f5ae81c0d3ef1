//! Content of an imported file.

use koab_core::cache_key::sha256_hex;
use koab_core::say;
use koab_core::sentence::Sentence;
use std::path::Path;

/// Content of a file, read once.
pub(super) struct Content {
    /// Bytes without a byte order mark.
    pub(super) bytes: Vec<u8>,
    pub(super) sha256: String,
}

impl Content {
    pub(super) fn read(path: &Path) -> Result<Self, Sentence> {
        let mut bytes = std::fs::read(path).map_err(|error| say!("cannot be read: {error}"))?;
        if bytes.starts_with(b"\xef\xbb\xbf") {
            bytes.drain(..3);
        }
        let sha256 = sha256_hex(&bytes);
        Ok(Self { bytes, sha256 })
    }
}
