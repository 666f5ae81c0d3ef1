//! Helpers for files and paths, with error messages for people.

use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::text_file;
use std::io;
use std::path::Path;

/// The text of a file that the user chose.
///
/// # Errors
/// When the file cannot be read or is not UTF-8. The message names the file.
pub fn text(path: &Path) -> Result<String, Sentence> {
    let display = path.display();
    let bytes =
        std::fs::read(path).map_err(|error| say!("{shown} cannot be read: {error}", shown = display))?;
    text_file::decode_prose(bytes).map_err(|why| say!("{shown} {why}", shown = display))
}

/// The result of a file operation, or `None` if the file does not exist.
///
/// # Errors
/// Any other error of the file system.
pub fn if_there<T>(asked: io::Result<T>) -> io::Result<Option<T>> {
    match asked {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        asked => asked.map(Some),
    }
}

/// The last part of a path; empty if the path has no file name.
pub fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
