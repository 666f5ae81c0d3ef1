//! Append-only file of journal lines: the journal of a run, or of one start of a shard.

use crate::error::{Error, Result};
use koab_core::run_record::{JournalLine, LinePlace};
use koab_engine::ports::{StoreError, SyncWork};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::PathBuf;

/// Journal file that is open for appending.
#[derive(Debug)]
pub(crate) struct JournalFile {
    path: PathBuf,
    file: File,
    /// Size of the file in bytes.
    length: u64,
}

impl JournalFile {
    /// Continues after the existing content of a file.
    pub(crate) fn at_end_of(path: PathBuf, file: File) -> Result<Self> {
        match file.metadata() {
            Ok(metadata) => Ok(Self { length: metadata.len(), path, file }),
            Err(error) => Err(Error::io("write", &path, &error)),
        }
    }

    /// Whether the file has no line.
    pub(crate) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Whether the file still exists at its path.
    pub(crate) fn is_there(&self) -> bool {
        self.path.exists()
    }

    /// Appends a line and returns its position.
    pub(crate) fn line(&mut self, line: &JournalLine) -> Result<LinePlace> {
        let text = line.text();
        let text = text.map_err(|error| Error::io("write", &self.path, &error.into()))?;
        self.text(text.as_bytes())
    }

    /// Appends a whole line, including its line break.
    pub(crate) fn text(&mut self, text: &[u8]) -> Result<LinePlace> {
        // One write, so that a crash cuts off at most one line.
        let outcome = self.file.write_all(text);
        outcome.map_err(|error| Error::io("write", &self.path, &error))?;
        let place = LinePlace { offset: self.length, length: text.len() as u32 };
        self.length += text.len() as u64;
        Ok(place)
    }

    /// Syncs everything appended so far, so that it survives a power failure.
    pub(crate) fn make_safe(&self) -> Result<()> {
        let synced = self.file.sync_data();
        synced.map_err(|error| Error::io("write", &self.path, &error))
    }

    /// Returns the work of syncing the file, to be done on another thread.
    pub(crate) fn sync(&self) -> std::result::Result<Option<SyncWork>, StoreError> {
        let path = self.path.clone();
        let failed = move |error: io::Error| Error::io("write", &path, &error).of_run();
        let file = self.file.try_clone().map_err(&failed)?;
        Ok(Some(Box::new(move || file.sync_data().map_err(failed))))
    }
}
