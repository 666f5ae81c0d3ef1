//! Safe access to a folder that somebody else has filled: only regular files inside it, up to a
//! maximum size.
//!
//! A pipe or device has no end, and a link may lead to any file of the user. None of these is
//! opened.

use crate::error::{Error, Result};
use koab_core::finding::{Fault, Problem};
use koab_core::say;
use koab_core::sentence::Sentence;
use sha2::{Digest as _, Sha256};
use std::fs::{self, File, FileType};
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

/// Maximum size in bytes of a file in a pack or in an archive.
pub(crate) const FILE_BYTES: u64 = 64 << 20;

fn leads_out() -> Sentence {
    say!("is a link that leads out of the folder; it is not followed")
}

fn no_file() -> Sentence {
    say!("is not a regular file")
}

/// Folders whose files may be read.
#[derive(Debug)]
pub(super) struct ImportRoots(Vec<PathBuf>);

/// Result of opening a path.
pub(super) enum PathContent {
    File(File),
    Missing,
    /// A file that must not be read, and the reason.
    Refused(Sentence),
}

impl ImportRoots {
    /// Allows reading the given folder. For a snapshot in the shared Hugging Face cache, the
    /// `blobs` folder is also allowed, because the snapshot's files are links into it.
    pub(super) fn find(folder: &Path) -> Result<Self> {
        let real = fs::canonicalize(folder).map_err(|error| Error::io("read", folder, &error))?;
        let blobs = real
            .parent()
            .filter(|snapshots| snapshots.ends_with("snapshots"))
            .and_then(|snapshots| fs::canonicalize(snapshots.with_file_name("blobs")).ok());
        Ok(Self(std::iter::once(real).chain(blobs).collect()))
    }

    /// Opens a file that is small enough to be read as a whole.
    pub(super) fn open(&self, path: &Path) -> Result<PathContent> {
        self.open_up_to(path, FILE_BYTES)
    }

    /// SHA-256 of a file in hexadecimal. `None` when the file is missing or must not be read; the
    /// reader of its content reports the reason.
    ///
    /// Files of JSON lines may have any size, since only their lines are limited.
    pub(super) fn sha256(&self, path: &Path) -> Result<Option<String>> {
        let has_lines = path.extension().is_some_and(|ending| ending == "jsonl");
        let PathContent::File(from) = self.open_up_to(path, if has_lines { u64::MAX } else { FILE_BYTES })?
        else {
            return Ok(None);
        };
        let mut from = BufReader::with_capacity(1 << 16, from);
        let mut hash = Sha256::new();
        loop {
            let piece = from.fill_buf().map_err(|error| Error::io("read", path, &error))?;
            if piece.is_empty() {
                return Ok(Some(hex::encode(hash.finalize())));
            }
            hash.update(piece);
            let length = piece.len();
            from.consume(length);
        }
    }

    fn open_up_to(&self, path: &Path, most: u64) -> Result<PathContent> {
        let failed = |error: io::Error| Error::io("read", path, &error);
        let real = match fs::canonicalize(path) {
            Ok(real) => real,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(PathContent::Missing),
            Err(error) => return Err(failed(error)),
        };
        if !self.holds(&real) {
            return Ok(PathContent::Refused(leads_out()));
        }
        // Checked before opening, because opening a pipe waits for a writer.
        let meta = fs::metadata(&real).map_err(failed)?;
        if !meta.is_file() {
            return Ok(PathContent::Refused(no_file()));
        }
        if meta.len() > most {
            return Ok(PathContent::Refused(too_large()));
        }
        Ok(PathContent::File(File::open(&real).map_err(failed)?))
    }

    /// Reads a file. `None` when it is missing. A file that must not be read is added to `problems`
    /// under the name `file`.
    pub(super) fn read(
        &self,
        path: &Path,
        file: &str,
        problems: &mut Vec<Problem>,
    ) -> Result<Option<Vec<u8>>> {
        match self.open(path)? {
            PathContent::Missing => Ok(None),
            PathContent::Refused(why) => {
                problems.push(Fault::Unreadable.rejected(why).in_file(file));
                Ok(None)
            }
            PathContent::File(from) => {
                let mut content = Vec::new();
                from.take(FILE_BYTES)
                    .read_to_end(&mut content)
                    .map_err(|error| Error::io("read", path, &error))?;
                Ok(Some(content))
            }
        }
    }

    /// Kind of a folder's entry, following links. The error says why it must not be opened.
    pub(super) fn kind(&self, path: &Path, kind: FileType) -> std::result::Result<Kind, Sentence> {
        let kind = if kind.is_symlink() {
            let real = fs::canonicalize(path).ok().filter(|real| self.holds(real));
            let real = real.ok_or_else(leads_out)?;
            fs::metadata(real).map_err(|_| no_file())?.file_type()
        } else {
            kind
        };
        match (kind.is_file(), kind.is_dir()) {
            (true, _) => Ok(Kind::File),
            (_, true) => Ok(Kind::Folder),
            _ => Err(no_file()),
        }
    }

    fn holds(&self, real: &Path) -> bool {
        self.0.iter().any(|folder| real.starts_with(folder))
    }
}

/// Kinds of entries that may be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Folder,
}

/// Opens a file that the user named. Fails unless it is a regular file.
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other(no_file()));
    }
    File::open(path)
}

/// Error text for a file above the maximum size.
pub(super) fn too_large() -> Sentence {
    say!("is larger than {} MiB", FILE_BYTES >> 20)
}
