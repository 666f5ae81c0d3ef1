//! Atomic file writes: a reader sees either the old file or the new one, never half of one.

use crate::error::{Error, Result};
use std::fs;
use std::io::Write as _;
use std::path::Path;

/// Writes `content` to `path` atomically: it fills a temporary file in the same folder, syncs it,
/// and renames it to `path`.
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
pub fn write_by(
    path: &Path,
    content: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>,
) -> Result<()> {
    let refuse = |error: std::io::Error| Error::io("write", path, &error);
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|error| Error::io("create", folder, &error))?;
    let mut file =
        tempfile::Builder::new().prefix(".koab-").suffix(".tmp").tempfile_in(folder).map_err(refuse)?;
    let mut buffer = std::io::BufWriter::new(file.as_file_mut());
    content(&mut buffer).and_then(|()| buffer.flush()).map_err(refuse)?;
    drop(buffer);
    file.as_file().sync_all().map_err(refuse)?;
    make_readable(file.as_file()).map_err(refuse)?;
    file.persist(path).map_err(|error| refuse(error.error))?;
    sync_folder(folder);
    Ok(())
}

/// Makes a temporary file readable by other users. It is created private, but logs and reports are
/// read by others.
#[cfg(unix)]
pub(crate) fn make_readable(file: &fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
pub(crate) fn make_readable(_: &fs::File) -> std::io::Result<()> {
    Ok(())
}

/// Makes the rename itself durable where the system can. Some file systems refuse; the content is
/// safe either way.
fn sync_folder(folder: &Path) {
    #[cfg(unix)]
    if let Ok(folder) = fs::File::open(folder) {
        let _ = folder.sync_all();
    }
    #[cfg(not(unix))]
    let _ = folder;
}

#[cfg(test)]
mod tests {
    use super::*;

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
