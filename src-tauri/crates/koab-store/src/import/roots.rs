//! The files of a folder that somebody else filled: regular ones, which lie in it, of a bounded
//! length.
//!
//! A pipe or a device has no end, and a link may lead to anything that the user can read. Nothing
//! of the kind is opened.

use crate::error::{Error, Result};
use koab_core::finding::{Fault, Problem};
use koab_core::say;
use koab_core::sentence::Sentence;
use sha2::{Digest as _, Sha256};
use std::fs::{self, File, FileType};
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

/// Bytes of one file of a pack, as of one in an archive.
pub(crate) const FILE_BYTES: u64 = 64 << 20;

fn leads_out() -> Sentence {
    say!("is a link that leads out of the folder; it is not followed")
}

fn no_file() -> Sentence {
    say!("is not a regular file")
}

/// Where files may lie.
#[derive(Debug)]
pub(super) struct ImportRoots(Vec<PathBuf>);

/// What there is at a path.
pub(super) enum PathContent {
    File(File),
    Missing,
    /// Something that is not read, and why.
    Refused(Sentence),
}

impl ImportRoots {
    /// The folder itself; of a snapshot in the cache that Hugging Face's tools share also the
    /// folder that its files are links into.
    pub(super) fn find(folder: &Path) -> Result<Self> {
        let real = fs::canonicalize(folder).map_err(|error| Error::io("read", folder, &error))?;
        let blobs = real
            .parent()
            .filter(|snapshots| snapshots.ends_with("snapshots"))
            .and_then(|snapshots| fs::canonicalize(snapshots.with_file_name("blobs")).ok());
        Ok(Self(std::iter::once(real).chain(blobs).collect()))
    }

    /// Opens a file that may be read whole.
    pub(super) fn open(&self, path: &Path) -> Result<PathContent> {
        self.open_up_to(path, FILE_BYTES)
    }

    /// SHA-256 of a file, in hexadecimal. `None` where there is none that may be read: why not is
    /// said by whoever needs what it holds. Of a file of lines the lines are bounded, and not the
    /// file.
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
        // Looked at before it is opened: opening a pipe already waits for whoever fills it.
        let meta = fs::metadata(&real).map_err(failed)?;
        if !meta.is_file() {
            return Ok(PathContent::Refused(no_file()));
        }
        if meta.len() > most {
            return Ok(PathContent::Refused(too_large()));
        }
        Ok(PathContent::File(File::open(&real).map_err(failed)?))
    }

    /// Reads a file that may be read. `None` where there is none; what is not read is a problem of
    /// `file`.
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

    /// Whether an entry of a folder is a file or folder that may be looked into; why not, where it
    /// is not.
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

/// What may be looked into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Folder,
}

/// Opens a file that the user named, if it is one.
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other(no_file()));
    }
    File::open(path)
}

/// Why a file of more bytes than that is not read.
pub(super) fn too_large() -> Sentence {
    say!("is larger than {} MiB", FILE_BYTES >> 20)
}
