//! Destination of an archive's entries, with limits.

use crate::error::{Error, Result};
use crate::import::entry_path::{self, EntryPath, Selection};
use crate::import::roots::FILE_BYTES;
use crate::import::watch::Watch;
use koab_core::finding::{Fault, Problem};
use koab_core::say;
use koab_core::sentence::Sentence;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;

/// Size limits of an archive. The published repository has 9,000 entries and unpacks to about 500
/// MB with its logs. A pack from it has a tenth of that.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) entries: usize,
    pub(super) file_bytes: u64,
    pub(super) total_bytes: u64,
    /// Maximum decompressed bytes in all, including entries that are not written.
    pub(super) stream_bytes: u64,
}

pub(super) const LIMITS: Limits =
    Limits { entries: 200_000, file_bytes: FILE_BYTES, total_bytes: 1 << 30, stream_bytes: 4 << 30 };

/// Destination of an archive's entries: counts, checks and writes them.
pub(super) struct Sink<'a> {
    pub(super) archive: PathBuf,
    pub(super) wanted: Selection,
    pub(super) limits: Limits,
    watch: Watch<'a>,
    /// Size of the archive in bytes.
    size: u64,
    pub(super) read: Arc<AtomicU64>,
    /// Folder of the last written file, which exists.
    last_folder: PathBuf,
    /// Buffer for copying a file.
    buffer: Vec<u8>,
    pub(super) folder: TempDir,
    pub(super) seen: BTreeSet<String>,
    pub(super) entries: usize,
    pub(super) written: u64,
    pub(super) problems: Vec<Problem>,
    pub(super) commit: Option<String>,
}

impl<'a> Sink<'a> {
    pub(super) fn new(
        archive: &Path,
        wanted: Selection,
        limits: Limits,
        watch: Watch<'a>,
        size: u64,
    ) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("koab-import-").tempdir();
        let folder = folder.map_err(|error| Error::io("write", &std::env::temp_dir(), &error))?;
        Ok(Self {
            archive: archive.to_owned(),
            wanted,
            limits,
            watch,
            size,
            read: Arc::default(),
            last_folder: PathBuf::new(),
            buffer: vec![0; 1 << 16],
            folder,
            seen: BTreeSet::new(),
            entries: 0,
            written: 0,
            problems: Vec::new(),
            commit: None,
        })
    }

    pub(super) fn refuse(&self, why: Sentence) -> Error {
        Error::BadFile(say!("{} {why}; nothing was imported", self.archive.display()))
    }

    pub(super) fn broken(&self, error: impl std::fmt::Display) -> Error {
        self.refuse(say!("is damaged ({error})"))
    }

    /// Counts an entry of any kind.
    pub(super) fn count(&mut self) -> Result<()> {
        if self.watch.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let read = self.read.load(Ordering::Relaxed).min(self.size);
        (self.watch.progress)(read, self.size);
        self.entries += 1;
        if self.entries > self.limits.entries {
            return Err(self.refuse(say!("has more than {} entries", self.limits.entries)));
        }
        Ok(())
    }

    /// Path to write a file of this name to. `None` when no pack needs it.
    pub(super) fn place(&mut self, name: &str) -> Result<Option<PathBuf>> {
        let path = match entry_path::judge(name, self.wanted) {
            EntryPath::Unwanted => return Ok(None),
            EntryPath::Hostile(why) => {
                return Err(self.refuse(say!("has an entry `{name}` that {why}")));
            }
            EntryPath::Wanted(path) => path,
        };
        // Systems that ignore case would write one file over the other.
        if !self.seen.insert(path.to_string_lossy().to_lowercase()) {
            return Err(self.refuse(say!("has two entries named `{name}`")));
        }
        Ok(Some(self.folder.path().join(path)))
    }

    /// Records a link as a problem. Links are never created, since they could point anywhere.
    pub(super) fn link(&mut self, name: &str) -> Result<()> {
        match entry_path::judge(name, self.wanted) {
            EntryPath::Unwanted => {}
            EntryPath::Hostile(why) => {
                return Err(self.refuse(say!("has an entry `{name}` that {why}")));
            }
            EntryPath::Wanted(_) => {
                self.problems.push(
                    Fault::Unreadable
                        .rejected(say!("is a link; links in archives are not followed"))
                        .in_file(name),
                );
            }
        }
        Ok(())
    }

    /// Writes a file. The size that the archive states is not trusted: the written bytes are
    /// counted.
    pub(super) fn write(&mut self, name: &str, path: &Path, content: &mut dyn Read) -> Result<()> {
        if let Some(parent) = path.parent().filter(|parent| *parent != self.last_folder) {
            std::fs::create_dir_all(parent).map_err(|error| self.cannot_write(name, &error))?;
            self.last_folder = parent.to_owned();
        }
        let created = File::options().write(true).create_new(true).open(path);
        let mut file = created.map_err(|error| self.cannot_write(name, &error))?;
        let room = self.limits.file_bytes.min(self.limits.total_bytes - self.written);
        // Read and write errors need different messages.
        let mut size = 0;
        loop {
            let read = content.read(&mut self.buffer).map_err(|error| self.broken(error))?;
            if read == 0 {
                break;
            }
            size += read as u64;
            if size > room {
                let most = if room == self.limits.file_bytes { room } else { self.limits.total_bytes } >> 20;
                return Err(self.refuse(say!("unpacks to more than {most} MB at `{name}`")));
            }
            io::Write::write_all(&mut file, &self.buffer[..read])
                .map_err(|error| self.cannot_write(name, &error))?;
        }
        self.written += size;
        Ok(())
    }

    pub(super) fn cannot_write(&self, name: &str, error: &io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                Error::io("unpack", &self.archive, error)
            }
            _ => self.refuse(say!("has an entry `{name}` that cannot be written ({error})")),
        }
    }
}
