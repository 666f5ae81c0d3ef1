//! Hashes that a hub identifies files by: SHA-256 of large files, git's SHA-1 of the others.

use crate::hub::HubError;
use aws_lc_rs::digest::{Context, SHA1_FOR_LEGACY_USE_ONLY, SHA256};
use std::io::Read as _;
use std::path::Path;

/// Expected hash of a file's content. Its hexadecimal text is also the name of the file in the
/// cache.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FileHash {
    /// SHA-256 of the content.
    Sha256(String),
    /// SHA-1 of a git blob: of `blob <size>`, a zero byte and the content.
    GitSha1(String),
}

impl FileHash {
    /// The hexadecimal text.
    pub fn hex(&self) -> &str {
        let (Self::Sha256(hex) | Self::GitSha1(hex)) = self;
        hex
    }

    /// Parses a hash by its length: 64 digits are SHA-256, 40 are git's SHA-1.
    pub fn of_hex(hex: &str) -> Option<Self> {
        let digits = hex.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        match hex.len() {
            64 if digits => Some(Self::Sha256(hex.to_owned())),
            40 if digits => Some(Self::GitSha1(hex.to_owned())),
            _ => None,
        }
    }

    pub(super) fn begin(&self, size: u64) -> Context {
        match self {
            Self::Sha256(_) => Context::new(&SHA256),
            Self::GitSha1(_) => {
                let mut context = Context::new(&SHA1_FOR_LEGACY_USE_ONLY);
                context.update(format!("blob {size}\0").as_bytes());
                context
            }
        }
    }
}

/// Feeds the bytes of a file to a hash, and returns their number.
pub(super) fn feed(context: &mut Context, path: &Path) -> std::io::Result<u64> {
    let mut file = std::fs::File::open(path)?;
    let mut buffer = vec![0; 1 << 20];
    let mut read = 0;
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            return Ok(read);
        }
        context.update(&buffer[..count]);
        read += count as u64;
    }
}

/// Hash of a file on this disk, of the same kind as `like`. It blocks while it reads.
///
/// # Errors
/// When the file cannot be read.
pub fn hash_of(path: &Path, like: &FileHash) -> Result<String, HubError> {
    let fault = |why: std::io::Error| HubError::disk(path, &why);
    let size = std::fs::metadata(path).map_err(fault)?.len();
    let mut context = like.begin(size);
    feed(&mut context, path).map_err(fault)?;
    Ok(hex::encode(context.finish()))
}
