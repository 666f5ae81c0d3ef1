//! Atomic writes of the store's files, which every user may read. Missing folders are created.

use crate::error::{Error, Result};
use koab_engine::atomic::{Readers, Replacement};
use std::io::{BufWriter, Write};
use std::path::Path;

/// Replaces the content of `path` atomically.
///
/// # Errors
/// When the disk refuses. The previous file stays.
pub fn write(path: &Path, content: &[u8]) -> Result<()> {
    write_by(path, |file| file.write_all(content))
}

/// Writes content to `path` like [`write()`], but piece by piece, so that the whole content is
/// never in memory.
///
/// # Errors
/// When the disk refuses, or `content` gives an error. The previous file stays.
pub fn write_by(path: &Path, content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<()> {
    let refuse = |error: std::io::Error| Error::io("write", path, &error);
    let replacement = replacement(path)?;
    let mut buffer = BufWriter::new(replacement.file());
    content(&mut buffer).and_then(|()| buffer.flush()).map_err(refuse)?;
    drop(buffer);
    replacement.finish().map_err(refuse)
}

/// Opens a temporary file in the folder of `path`, which is created if it is missing. Finishing the
/// replacement renames the file to `path`.
pub(crate) fn replacement(path: &Path) -> Result<Replacement> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|error| Error::io("create", folder, &error))?;
    Replacement::of(path, Readers::Everyone).map_err(|error| Error::io("write", path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("new/folder/file.json");
        write(&path, b"one").expect("written");
        write(&path, "둘".as_bytes()).expect("written again");
        assert_eq!(fs::read_to_string(&path).expect("read"), "둘");
        let names = fs::read_dir(path.parent().expect("a parent")).expect("listed").count();
        assert_eq!(names, 1, "no temporary file stays");
    }

    #[test]
    fn a_folder_in_the_way_is_said_with_its_path() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("file"), "").expect("written");
        let error = write(&folder.path().join("file/inner.json"), b"").expect_err("a file is not a folder");
        assert!(error.to_string().contains("file"), "{error}");
    }
}
