//! What can be wrong with scenario files and their folders, one sentence a problem.

use koab_core::finding::Problem;
use koab_core::sentence::{Sentence, ToSentence};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// All that is wrong in the files of one reading, in the order of files and lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems(pub Vec<Problem>);

impl ToSentence for Problems {
    /// One a line.
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

/// Why a trial's folder could not be made, read or moved.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum Error {
    /// The disk refused.
    #[error("cannot {doing} {}: {source}", path.display())]
    Io {
        /// What was tried, as in "cannot *read* …".
        doing: Sentence,
        /// The file or folder.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// A file or folder is not what it has to be.
    #[error("{}: {why}", path.display())]
    Bad {
        /// The file or folder.
        path: PathBuf,
        /// One sentence without its full stop.
        why: Sentence,
    },
    /// The folder of a trial is there already.
    #[error("{}: the trial is there already; set it aside first", .0.display())]
    TrialExists(PathBuf),
    /// Somebody else is at work in a results folder.
    #[error("{}: scenarios are running into this results folder; wait for their end, or name another folder", .0.display())]
    Busy(PathBuf),
}

impl Error {
    pub(crate) fn io(doing: Sentence, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { doing, path, source }
    }

    /// Whether the disk refuses as a whole, and so the next trial as well.
    pub(crate) fn is_the_disk_s(&self) -> bool {
        use io::ErrorKind::{QuotaExceeded, ReadOnlyFilesystem, StorageFull};
        matches!(self, Self::Io { source, .. } if matches!(source.kind(), StorageFull | QuotaExceeded | ReadOnlyFilesystem))
    }

    pub(crate) fn bad(path: &Path, why: impl Into<Sentence>) -> Self {
        Self::Bad { path: path.to_owned(), why: why.into() }
    }
}

/// The result of whatever touches a trial's folder.
pub type Result<T> = std::result::Result<T, Error>;
