//! Errors of the disk. Each is one sentence with the fault, the path and the remedy.

use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_core::text;
use koab_engine::ports::StoreError;
use std::io;
use std::path::Path;

/// Error of the store.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum Error {
    /// The named pack, run, report or file does not exist.
    #[error("{0}")]
    NotFound(Sentence),
    /// A file has wrong content.
    #[error("{0}")]
    BadFile(Sentence),
    /// SQLite reports that the database file is damaged, so that none of its rows can be trusted.
    #[error("{0}")]
    DamagedDatabase(Sentence),
    /// Another process is using the file or folder.
    #[error("{0}")]
    Busy(Sentence),
    /// The disk refuses: it is full, read-only or unavailable.
    #[error("{0}")]
    Disk(Sentence),
    /// The user cancelled.
    #[error("cancelled")]
    Cancelled,
}

/// Result of the store's functions.
pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Error of an I/O operation `what` (such as `write`) on `path`, with a remedy.
    pub(crate) fn io(what: &str, path: &Path, error: &io::Error) -> Self {
        let (path, what) = (path.display(), Sentence::from(what));
        match error.kind() {
            io::ErrorKind::NotFound => Error::NotFound(say!("{path} is not there; check the path")),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                Error::Disk(say!("cannot {what} {path}, the disk is full; free some space and try again"))
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Error::Disk(say!(
                "cannot {what} {path}, it is not permitted; make it accessible or choose another folder with --home"
            )),
            _ => Error::Disk(say!("cannot {what} {path}: {error}")),
        }
    }

    /// Adds to an error the remedy for a run: finished attempts are kept, and the run can be
    /// resumed.
    pub(crate) fn of_run(self) -> StoreError {
        StoreError(say!("{self}; what was done so far is kept, continue with `koab run --resume`"))
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        let remedy = match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => say!("the disk is full; free some space and try again"),
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
                say!(
                    "koab.sqlite cannot be opened for writing; make its folder writable or choose another with --home"
                )
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                say!("another process is writing to koab.sqlite; wait for it to finish and try again")
            }
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                return Error::DamagedDatabase(say!(
                    "koab.sqlite is damaged; move it away and import the packs again (runs and reports are kept)"
                ));
            }
            _ => return Error::Disk(say!("koab.sqlite could not be read or written: {error}")),
        };
        Error::Disk(remedy)
    }
}

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        StoreError(error.to_sentence())
    }
}

/// Verbs of failed I/O operations, listed here so that they can be translated.
const _: [&str; 10] = [
    text!("create"),
    text!("delete"),
    text!("lock"),
    text!("move"),
    text!("read"),
    text!("remove"),
    text!("replace"),
    text!("unpack"),
    text!("write"),
    text!("write into"),
];
