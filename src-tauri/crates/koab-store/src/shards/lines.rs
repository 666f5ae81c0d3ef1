//! Reader of a file of journal lines.

use crate::error::{Error, Result};
use crate::import::roots::open_regular;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

/// Lines of a file including their line breaks, one at a time.
pub(super) struct Lines {
    path: PathBuf,
    reader: BufReader<File>,
    read: u64,
}

impl Lines {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let file = open_regular(path).map_err(|error| Error::io("read", path, &error))?;
        Ok(Self { path: path.to_owned(), reader: BufReader::new(file), read: 0 })
    }

    /// Number of bytes of the lines read so far.
    pub(super) fn read(&self) -> u64 {
        self.read
    }

    /// Reads the next line. A line without a line break is the last one: cut off, or still being
    /// written.
    pub(super) fn next(&mut self) -> Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        let taken = self
            .reader
            .read_until(b'\n', &mut line)
            .map_err(|error| Error::io("read", &self.path, &error))?;
        self.read += taken as u64;
        Ok((taken > 0).then_some(line))
    }
}
