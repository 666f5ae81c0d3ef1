//! Errors at the border: a code that the UI may branch on, and one sentence for people.

use crate::korean::korean;
use crate::wire::{ErrorCode, WireError};
use koab_engine::ports::{ModelError, StoreError};
use std::fmt;

impl WireError {
    /// An error of this kind with this sentence.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            code,
            korean: korean(&message),
            message,
        }
    }

    /// The request makes no sense as given.
    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::BadRequest, message)
    }

    /// The named thing is not there.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::NotFound, message)
    }

    /// A fault of the product.
    pub fn internal(error: impl fmt::Display) -> Self {
        Self::new(
            ErrorCode::Internal,
            format!("this should not happen, please report it: {error}"),
        )
    }

    /// The disk refuses.
    pub fn storage(error: impl fmt::Display) -> Self {
        Self::new(ErrorCode::Storage, error.to_string())
    }
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
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
        Self::new(code, error.to_string())
    }
}
