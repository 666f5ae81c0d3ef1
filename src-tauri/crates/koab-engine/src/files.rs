//! What paths and the system's refusals say, for all who read and write files.

use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::text_file;
use std::io;
use std::path::Path;

/// The text of a file that a user names, as people write it.
///
/// # Errors
/// One sentence that names the file, when it cannot be read or is no UTF-8.
pub fn text(path: &Path) -> Result<String, Sentence> {
    let shown = path.display();
    let bytes = std::fs::read(path).map_err(|error| say!("{shown} cannot be read: {error}"))?;
    text_file::decode_prose(bytes).map_err(|why| say!("{shown} {why}"))
}

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
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
