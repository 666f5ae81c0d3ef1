//! Errors of commands: a code for the UI, and one sentence for people.

use koab_cluster::ClusterError;
use koab_core::say;
use koab_core::sentence::{Sentence, ToSentence};
use koab_engine::ports::{ModelError, StoreError};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;
use ts_rs::TS;

/// Error as the UI receives it: a code that it can branch on, and one sentence for people.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct WireError {
    /// Kind of the error.
    pub code: ErrorCode,
    /// One sentence with the fault, the place and the remedy.
    pub message: Sentence,
}

/// Kinds of errors that the UI treats differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ErrorCode {
    /// The request is not valid.
    BadRequest,
    /// The named pack, run, report or model does not exist.
    NotFound,
    /// The workspace cannot be opened, so nothing else works.
    NoWorkspace,
    /// A pack is needed, but none is installed.
    NoPack,
    /// The model's server cannot be reached or refuses.
    ModelUnreachable,
    /// A hub allows the download only to users who accepted the terms, or it refuses the token.
    NoAccess,
    /// The request would leave this computer, but koab is offline.
    Offline,
    /// No container engine responds.
    DockerUnavailable,
    /// The disk refuses: it is full or read-only.
    Storage,
    /// A file has wrong content.
    BadFile,
    /// The request conflicts with work in progress, such as another job or a draft of the same
    /// name.
    Busy,
    /// The user cancelled.
    Cancelled,
    /// The page in the browser has no session with `koab serve`, because it was not opened with a
    /// valid link.
    SignedOut,
    /// The page in the browser gets no answer from `koab serve`.
    Disconnected,
    /// A fault of the product.
    Internal,
}

impl WireError {
    /// Makes an error of this kind.
    pub fn new(code: ErrorCode, message: impl Into<Sentence>) -> Self {
        Self { code, message: message.into() }
    }

    /// Error for a request that is not valid.
    pub fn bad_request(message: impl Into<Sentence>) -> Self {
        Self::new(ErrorCode::BadRequest, message)
    }

    /// Error for something that does not exist.
    pub fn not_found(message: impl Into<Sentence>) -> Self {
        Self::new(ErrorCode::NotFound, message)
    }

    /// Error for a fault of the product.
    pub fn internal(error: impl fmt::Display) -> Self {
        Self::new(ErrorCode::Internal, say!("this should not happen, please report it: {error}"))
    }

    /// Error for a file with wrong content.
    pub fn bad_file(message: impl Into<Sentence>) -> Self {
        Self::new(ErrorCode::BadFile, message)
    }

    /// Error for something that is already running.
    pub fn busy(message: impl Into<Sentence>) -> Self {
        Self::new(ErrorCode::Busy, message)
    }

    /// Error for a cancellation by the user.
    pub fn cancelled(message: impl Into<Sentence>) -> Self {
        Self::new(ErrorCode::Cancelled, message)
    }

    /// Error for a disk that refuses.
    pub fn storage(error: impl Into<Sentence>) -> Self {
        Self::new(ErrorCode::Storage, error)
    }

    /// Error for a file or folder that cannot be read.
    pub fn unreadable(path: &Path, error: impl ToSentence) -> Self {
        Self::storage(say!("{} cannot be read: {error}", path.display()))
    }

    /// Error for a file of the workspace whose content is damaged.
    pub fn damaged(path: &Path, error: &serde_json::Error) -> Self {
        Self::bad_file(say!("{} cannot be read: {error}; move it away", path.display()))
    }

    /// Error for a path that cannot be written.
    pub fn unwritable(path: &Path, error: impl ToSentence) -> Self {
        Self::storage(say!("{} cannot be written: {error}", path.display()))
    }
}

/// Turns the error for something that does not exist into `None`. Other errors are returned.
///
/// # Errors
/// Every error except [`ErrorCode::NotFound`].
pub fn if_found<T>(result: Result<T, WireError>) -> Result<Option<T>, WireError> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.code == ErrorCode::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message.fmt(f)
    }
}

impl std::error::Error for WireError {}

impl From<StoreError> for WireError {
    fn from(error: StoreError) -> Self {
        Self::storage(error)
    }
}

impl From<ModelError> for WireError {
    fn from(error: ModelError) -> Self {
        let code = match error {
            ModelError::Offline(_) => ErrorCode::Offline,
            _ => ErrorCode::ModelUnreachable,
        };
        Self::new(code, error)
    }
}

impl From<koab_store::Error> for WireError {
    fn from(error: koab_store::Error) -> Self {
        let code = match error {
            koab_store::Error::NotFound(_) => ErrorCode::NotFound,
            koab_store::Error::BadFile(_) | koab_store::Error::DamagedDatabase(_) => ErrorCode::BadFile,
            koab_store::Error::Busy(_) => ErrorCode::Busy,
            koab_store::Error::Disk(_) => ErrorCode::Storage,
            koab_store::Error::Cancelled => ErrorCode::Cancelled,
        };
        Self::new(code, error)
    }
}

impl From<ClusterError> for WireError {
    fn from(error: ClusterError) -> Self {
        let code = match error {
            ClusterError::Missing(_) => ErrorCode::NotFound,
            ClusterError::BadRequest(_) | ClusterError::Refused(_) => ErrorCode::BadRequest,
            ClusterError::Disk(_) => ErrorCode::Storage,
        };
        Self::new(code, error)
    }
}
