//! Files that a command writes in addition to its printed result.

use koab_api::WireError;
use koab_api::atomic::{self, Readers};
use koab_core::say;
use std::fs::OpenOptions;
use std::path::Path;

/// Replaces a file atomically, so that nobody reads an incomplete file.
pub(super) fn write(file: &Path, text: &str) -> Result<(), WireError> {
    atomic::write(file, Readers::Everyone, text).map_err(|error| not_written(file, &error))
}

/// Checks that a file can be written later. An existing file keeps its content, and a file that the
/// check had to create is removed again.
pub(super) fn try_to_write(file: &Path) -> Result<(), WireError> {
    let is_new = !file.exists();
    let opened = OpenOptions::new().append(true).create(true).open(file);
    drop(opened.map_err(|error| not_written(file, &error))?);
    if is_new {
        std::fs::remove_file(file).map_err(|error| not_written(file, &error))?;
    }
    Ok(())
}

fn not_written(file: &Path, error: &std::io::Error) -> WireError {
    let file = file.display();
    WireError::storage(say!("{file} cannot be written: {error}"))
}
