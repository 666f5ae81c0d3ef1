//! Errors at the border: a code that the UI may branch on, and one sentence for people.

use koab_cluster::ClusterError;
use koab_core::say;
use koab_core::sentence::{Sentence, ToSentence};
use koab_engine::ports::{ModelError, StoreError};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;
use ts_rs::TS;

/// An error as the UI receives it: a code it may branch on, and one sentence for people.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct WireError {
    /// What kind of error.
    pub code: ErrorCode,
    /// What, where, what to do: one sentence.
    pub message: Sentence,
}

/// Kinds of errors that the UI treats differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ErrorCode {
    /// The request makes no sense as given.
    BadRequest,
    /// The named pack, run, report or model is not there.
    NotFound,
    /// The workspace cannot be opened, so that nothing else works either.
    NoWorkspace,
    /// A pack is needed and none is installed.
    NoPack,
    /// The model's server cannot be reached or refuses.
    ModelUnreachable,
    /// A hub gives the model out only to people who accepted its terms, or refuses the token.
    NoAccess,
    /// It would leave this computer, and the user keeps koab offline.
    Offline,
    /// No container engine answers.
    DockerUnavailable,
    /// The disk refuses: full, read-only.
    Storage,
    /// A file cannot be read as what it should be.
    BadFile,
    /// Something is already running.
    Busy,
    /// The user cancelled.
    Cancelled,
    /// The page in the browser has not shown a valid link to `koab serve`.
    SignedOut,
    /// The page in the browser gets no answer from `koab serve`.
    Disconnected,
    /// A fault of the product.
    Internal,
}

impl WireError {
    /// An error of this kind with this sentence.
    pub fn new(code: ErrorCode, message: impl Into<Sentence>) -> Self {
        Self { code, message: message.into() }
    }

    /// The request makes no sense as given.
    pub fn bad_request(message: impl Into<Sentence>) -> Self {
        Self::new(ErrorCode::BadRequest, message)
    }

    /// The named thing is not there.
    pub fn not_found(message: impl Into<Sentence>) -> Self {
        Self::new(ErrorCode::NotFound, message)
    }

    /// A fault of the product.
    pub fn internal(error: impl fmt::Display) -> Self {
        Self::new(ErrorCode::Internal, say!("this should not happen, please report it: {error}"))
    }

    /// A file cannot be read as what it should be.
    pub fn bad_file(message: impl Into<Sentence>) -> Self {
        Self::new(ErrorCode::BadFile, message)
    }

    /// Something is already running.
    pub fn busy(message: impl Into<Sentence>) -> Self {
        Self::new(ErrorCode::Busy, message)
    }

    /// The user cancelled.
    pub fn cancelled(message: impl Into<Sentence>) -> Self {
        Self::new(ErrorCode::Cancelled, message)
    }

    /// The disk refuses.
    pub fn storage(error: impl Into<Sentence>) -> Self {
        Self::new(ErrorCode::Storage, error)
    }

    /// The disk gives the file at this path, or what lies there, to nobody.
    pub fn unreadable(path: &Path, error: impl ToSentence) -> Self {
        Self::storage(say!("{} cannot be read: {error}", path.display()))
    }

    /// The file of the workspace at this path does not hold what was written there.
    pub fn damaged(path: &Path, error: &serde_json::Error) -> Self {
        Self::bad_file(say!("{} cannot be read: {error}; move it away", path.display()))
    }

    /// The disk takes nothing at this path.
    pub fn unwritable(path: &Path, error: impl ToSentence) -> Self {
        Self::storage(say!("{} cannot be written: {error}", path.display()))
    }
}

/// The value; `None` where the thing is not there. Every other error stays one.
///
/// # Errors
/// All but [`ErrorCode::NotFound`].
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
            koab_store::Error::BadFile(_) => ErrorCode::BadFile,
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
