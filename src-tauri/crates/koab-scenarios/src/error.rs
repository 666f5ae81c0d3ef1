//! Errors of scenario files and their folders, one sentence for each problem.

use koab_core::finding::Problem;
use koab_core::sentence::{Sentence, ToSentence};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// All problems in scenario files, in the order of files and lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems(pub Vec<Problem>);

impl ToSentence for Problems {
    /// One problem per line.
    fn to_sentence(&self) -> Sentence {
        Sentence::joined(self.0.iter().map(Problem::located), "\n")
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_sentence().fmt(f)
    }
}

impl std::error::Error for Problems {}

/// Error when a trial's folder is created, read or moved.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum Error {
    /// The file system refused an operation.
    #[error("cannot {doing} {}: {source}", path.display())]
    Io {
        /// Operation that failed, as a verb such as "read" in "cannot read …".
        doing: Sentence,
        /// Path of the file or folder.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// A file or folder has the wrong content.
    #[error("{}: {why}", path.display())]
    Bad {
        /// Path of the file or folder.
        path: PathBuf,
        /// Reason: one sentence without its full stop.
        why: Sentence,
    },
    /// The folder of a trial already exists.
    #[error("{}: the trial exists already; move it away first", .0.display())]
    TrialExists(PathBuf),
    /// Another process is using a results folder.
    #[error("{}: scenarios that are running write to this results folder; wait until they end, or name another folder", .0.display())]
    Busy(PathBuf),
}

impl Error {
    pub(crate) fn io(doing: Sentence, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { doing, path, source }
    }

    /// Whether the disk is full or read-only, so that the next trial would fail as well.
    pub(crate) fn is_disk_failure(&self) -> bool {
        use io::ErrorKind::{QuotaExceeded, ReadOnlyFilesystem, StorageFull};
        matches!(self, Self::Io { source, .. } if matches!(source.kind(), StorageFull | QuotaExceeded | ReadOnlyFilesystem))
    }

    pub(crate) fn bad(path: &Path, why: impl Into<Sentence>) -> Self {
        Self::Bad { path: path.to_owned(), why: why.into() }
    }
}

/// Result of operations on a trial's folder.
pub type Result<T> = std::result::Result<T, Error>;
