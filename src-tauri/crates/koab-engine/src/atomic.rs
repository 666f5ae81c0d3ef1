//! Atomic file writes: a reader sees either the old file or the new one, never half of one.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Users who may read a new file, as far as the system's mask for new files allows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers {
    /// The file's owner: mode 0600.
    Owner,
    /// All users: mode 0644.
    Everyone,
}

/// New content of a file. It is a temporary file in the same folder until [`Replacement::finish`],
/// and is removed if it is dropped before.
#[derive(Debug)]
pub struct Replacement {
    file: NamedTempFile<File>,
    path: PathBuf,
}

impl Replacement {
    /// Creates an empty temporary file for `path`, whose folder must exist.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn of(path: &Path, readers: Readers) -> io::Result<Self> {
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(
            &mut options,
            if readers == Readers::Owner { 0o600 } else { 0o644 },
        );
        #[cfg(not(unix))]
        let _ = readers;
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix(".koab-").suffix(".tmp");
        let file = builder.make_in(folder_of(path), |part| options.open(part))?;
        Ok(Self { file, path: path.to_owned() })
    }

    /// The temporary file.
    #[must_use]
    pub fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Syncs the new content and renames it to its path.
    ///
    /// # Errors
    /// When the disk refuses. The previous file stays.
    pub fn finish(self) -> io::Result<()> {
        self.file().sync_all()?;
        self.file.persist(&self.path).map_err(|error| error.error)?;
        sync_folder(&self.path);
        Ok(())
    }
}

/// Replaces the content of `path`, whose folder must exist.
///
/// # Errors
/// When the disk refuses. The previous file stays.
pub fn write(path: &Path, readers: Readers, content: impl AsRef<[u8]>) -> io::Result<()> {
    let replacement = Replacement::of(path, readers)?;
    replacement.file().write_all(content.as_ref())?;
    replacement.finish()
}

/// Makes the rename of a file durable where the system can. Some file systems refuse; the content
/// is safe either way.
pub fn sync_folder(path: &Path) {
    if cfg!(unix)
        && let Ok(folder) = File::open(folder_of(path))
    {
        let _ = folder.sync_all();
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
