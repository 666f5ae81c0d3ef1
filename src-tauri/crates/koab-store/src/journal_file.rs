//! A file of journal lines that is appended to: the journal of a run, or a start of a part of one.

use crate::error::{Error, Result};
use koab_core::run_record::{JournalLine, LinePlace};
use koab_engine::ports::{StoreError, SyncWork};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::PathBuf;

/// Lines, open for appending.
#[derive(Debug)]
pub(crate) struct JournalFile {
    path: PathBuf,
    file: File,
    /// Its bytes.
    length: u64,
}

impl JournalFile {
    /// Goes on behind what a file has.
    pub(crate) fn at_end_of(path: PathBuf, file: File) -> Result<Self> {
        match file.metadata() {
            Ok(metadata) => Ok(Self { length: metadata.len(), path, file }),
            Err(error) => Err(Error::io("write", &path, &error)),
        }
    }

    /// Whether it has no line.
    pub(crate) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Whether the file is still in the folder where it was made.
    pub(crate) fn is_there(&self) -> bool {
        self.path.exists()
    }

    /// Appends a line and says where it stands.
    pub(crate) fn line(&mut self, line: &JournalLine) -> Result<LinePlace> {
        let text = line.text();
        let text = text.map_err(|error| Error::io("write", &self.path, &error.into()))?;
        self.text(text.as_bytes())
    }

    /// Appends a whole line, its end included.
    pub(crate) fn text(&mut self, text: &[u8]) -> Result<LinePlace> {
        // One write, so that a crash cuts off one line at most.
        let written = self.file.write_all(text);
        written.map_err(|error| Error::io("write", &self.path, &error))?;
        let place = LinePlace { offset: self.length, length: text.len() as u32 };
        self.length += text.len() as u64;
        Ok(place)
    }

    /// Makes everything appended so far survive a loss of power.
    pub(crate) fn make_safe(&self) -> Result<()> {
        let synced = self.file.sync_data();
        synced.map_err(|error| Error::io("write", &self.path, &error))
    }

    /// The same as work that is done elsewhere.
    pub(crate) fn sync(&self) -> std::result::Result<Option<SyncWork>, StoreError> {
        let path = self.path.clone();
        let failed = move |error: io::Error| Error::io("write", &path, &error).of_run();
        let file = self.file.try_clone().map_err(&failed)?;
        Ok(Some(Box::new(move || file.sync_data().map_err(failed))))
    }
}
