//! Reads a source file from front to back and hashes it.
//!
//! The file is read plainly, not mapped into memory. If it is truncated meanwhile, reading fails
//! with an error, where a memory map would end the process.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::ConvertError;
use crate::hf::TensorRange;

/// Bytes per read when data is skipped or compared.
const PIECE_BYTES: u64 = 1 << 20;

/// Sequential reader of one source file.
pub(super) struct SourceReader {
    path: PathBuf,
    file: File,
    at: u64,
    sha256: Sha256,
}

impl SourceReader {
    pub(super) fn open(path: &Path) -> Result<Self, ConvertError> {
        let file = File::open(path).map_err(|source| unreadable(path, source))?;
        Ok(Self { path: path.into(), file, at: 0, sha256: Sha256::new() })
    }

    /// Offset of the next byte.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// Moves forward to an offset. The skipped bytes are hashed.
    pub(super) fn forward(&mut self, to: u64) -> Result<(), ConvertError> {
        let mut piece = Vec::new();
        while self.at < to {
            piece.resize(PIECE_BYTES.min(to - self.at) as usize, 0);
            self.read(&mut piece)?;
            self.hash(&piece);
        }
        Ok(())
    }

    /// Fills a buffer. The caller must pass the buffer to [`SourceReader::hash`] before the next
    /// call; other threads can work on the buffer meanwhile.
    pub(super) fn read(&mut self, into: &mut [u8]) -> Result<(), ConvertError> {
        self.file.read_exact(into).map_err(|source| unreadable(&self.path, source))?;
        self.at += into.len() as u64;
        Ok(())
    }

    pub(super) fn hash(&mut self, bytes: &[u8]) {
        self.sha256.update(bytes);
    }

    /// Reads to the end and returns the SHA-256 of the file.
    pub(super) fn finish(mut self) -> Result<String, ConvertError> {
        let end = self.file.metadata().map_err(|source| unreadable(&self.path, source))?.len();
        self.forward(end)?;
        Ok(hex::encode(self.sha256.finalize()))
    }
}

/// Whether two ranges contain the same bytes.
pub(super) fn same(
    first: &Path,
    at: &TensorRange,
    second: &Path,
    there: &TensorRange,
) -> Result<bool, ConvertError> {
    if at.bytes != there.bytes {
        return Ok(false);
    }
    let bytes = |path: &Path, place: &TensorRange| -> Result<_, ConvertError> {
        let open = || -> io::Result<_> {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(place.offset))?;
            Ok(BufReader::with_capacity(PIECE_BYTES as usize, file))
        };
        open().map_err(|source| unreadable(path, source))
    };
    let (mut one, mut other) = (bytes(first, at)?, bytes(second, there)?);
    let mut remaining = at.bytes;
    let (mut here, mut hence) = (Vec::new(), Vec::new());
    while remaining > 0 {
        let piece = PIECE_BYTES.min(remaining);
        here.resize(piece as usize, 0);
        hence.resize(piece as usize, 0);
        one.read_exact(&mut here).map_err(|source| unreadable(first, source))?;
        other.read_exact(&mut hence).map_err(|source| unreadable(second, source))?;
        if here != hence {
            return Ok(false);
        }
        remaining -= piece;
    }
    Ok(true)
}

fn unreadable(path: &Path, source: io::Error) -> ConvertError {
    ConvertError::Unreadable { file: path.into(), source }
}
