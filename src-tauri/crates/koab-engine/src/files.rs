//! What paths and the system's refusals say, for all who read and write files.

use std::io;
use std::path::Path;

/// What the disk gave; nothing where nothing is there.
///
/// # Errors
/// Every other refusal.
pub fn if_there<T>(asked: io::Result<T>) -> io::Result<Option<T>> {
    match asked {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        asked => asked.map(Some),
    }
}

/// The last part of a path, empty where it has none.
pub fn name_of(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
