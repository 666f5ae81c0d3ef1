//! Files that a command writes beside what it prints.

use koab_api::WireError;
use koab_core::say;
use std::fs::OpenOptions;
use std::path::Path;

/// Beside it and then in its place, so that nobody reads half of it.
pub(super) fn write(file: &Path, text: &str) -> Result<(), WireError> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let beside = file.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let written = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, file));
    written.map_err(|error| {
        // What is left of it; the first error is the one to tell.
        let _ = std::fs::remove_file(&beside);
        not_written(file, &error)
    })
}

/// Opens a file that is written later; what it holds stays, and an empty one does not.
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
