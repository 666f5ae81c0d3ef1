//! What can go wrong with the disk, said in one sentence: what, where, what to do.

use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_core::text;
use koab_engine::ports::StoreError;
use std::io;
use std::path::Path;

/// Why the store could not do it.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum Error {
    /// The named pack, run, report or file is not there.
    #[error("{0}")]
    NotFound(Sentence),
    /// A file is not what it should be.
    #[error("{0}")]
    BadFile(Sentence),
    /// Another process works on it.
    #[error("{0}")]
    Busy(Sentence),
    /// The disk refuses: full, read-only, gone.
    #[error("{0}")]
    Disk(Sentence),
    /// The user cancelled.
    #[error("cancelled")]
    Cancelled,
}

/// What the store's functions return.
pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An input/output error while doing `what` (such as `write`) to `path`, with its remedy.
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

    /// The same error with a remedy that fits a run: what has been done is kept.
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
                return Error::BadFile(say!(
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

/// What is done to a file, where it cannot be done.
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
