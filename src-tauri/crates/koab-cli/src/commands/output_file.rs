//! Files that a command writes in addition to its printed result.

use koab_api::WireError;
use koab_core::say;
use std::fs::OpenOptions;
use std::path::Path;

/// Writes a temporary file and renames it, so that nobody reads an incomplete file.
pub(super) fn write(file: &Path, text: &str) -> Result<(), WireError> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let temporary = file.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let result = std::fs::write(&temporary, text).and_then(|()| std::fs::rename(&temporary, file));
    result.map_err(|error| {
        // The temporary file is removed. Its error is ignored, since the first one is reported.
        let _ = std::fs::remove_file(&temporary);
        not_written(file, &error)
    })
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
