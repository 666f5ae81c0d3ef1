//! Reads numbers and texts from the front of a file. It never reads beyond the end, and it checks
//! every length in the file before memory is allocated for it.

use std::io::{self, BufRead, Seek, SeekFrom};

use super::error::GgufError;

/// Maximum bytes of a text; the longest are chat templates.
const MAX_TEXT_BYTES: u64 = 16 << 20;

/// The unread rest of a file.
pub(super) struct Source<R> {
    from: R,
    /// Bytes that are not read yet.
    left: u64,
    total: u64,
}

impl<R: BufRead + Seek> Source<R> {
    pub(super) fn new(mut from: R) -> io::Result<Self> {
        let total = from.seek(SeekFrom::End(0))?;
        from.rewind()?;
        Ok(Self { from, left: total, total })
    }

    /// Offset of the next byte.
    pub(super) fn at(&self) -> u64 {
        self.total - self.left
    }

    pub(super) fn total(&self) -> u64 {
        self.total
    }

    fn take(&mut self, bytes: u64) -> Result<(), GgufError> {
        self.left = self.left.checked_sub(bytes).ok_or(GgufError::CutOff { bytes: self.total })?;
        Ok(())
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], GgufError> {
        self.take(N as u64)?;
        let mut bytes = [0; N];
        self.from.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, GgufError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(super) fn u64(&mut self) -> Result<u64, GgufError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// Reads a count of items of at least `each` bytes.
    ///
    /// # Errors
    /// When the rest of the file is too short for that many items.
    pub(super) fn count(&mut self, what: &'static str, each: u64) -> Result<u64, GgufError> {
        let count = self.u64()?;
        if count > self.total / each {
            return Err(GgufError::Count { what: what.into(), count });
        }
        if count > self.left / each {
            return Err(GgufError::CutOff { bytes: self.total });
        }
        Ok(count)
    }

    pub(super) fn text(&mut self, what: &'static str) -> Result<String, GgufError> {
        let length = self.count(what, 1)?;
        if length > MAX_TEXT_BYTES {
            return Err(GgufError::Count { what: what.into(), count: length });
        }
        self.take(length)?;
        let mut bytes = vec![0; length as usize];
        self.from.read_exact(&mut bytes)?;
        String::from_utf8(bytes).map_err(|_| GgufError::NotText { what: what.into() })
    }

    pub(super) fn skip(&mut self, bytes: u64) -> Result<(), GgufError> {
        self.take(bytes)?;
        // A buffered reader stays in its buffer for the short steps through a vocabulary.
        let mut rest = bytes;
        while rest > 0 {
            let here = (self.from.fill_buf()?.len() as u64).min(rest);
            if here == 0 {
                return Err(GgufError::CutOff { bytes: self.total });
            }
            self.from.consume(here as usize);
            rest -= here;
            if rest > 1 << 20 {
                self.from.seek(SeekFrom::Current(i64::try_from(rest).unwrap_or(i64::MAX)))?;
                rest = 0;
            }
        }
        Ok(())
    }
}
