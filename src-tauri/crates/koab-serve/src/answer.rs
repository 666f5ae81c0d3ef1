//! Answers as JSON: the result of a command, or a [`WireError`] with the corresponding HTTP status.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use koab_api::{ErrorCode, WireError};
use koab_core::sentence::Sentence;
use serde::Serialize;

/// JSON response that is not cached.
pub(crate) fn json(status: StatusCode, answer: &impl Serialize) -> Response {
    match serde_json::to_string(answer) {
        Ok(body) => text(status, body),
        Err(_) => text(StatusCode::INTERNAL_SERVER_ERROR, "null".to_owned()),
    }
}

/// Response with a JSON text, which is not cached.
pub(crate) fn text(status: StatusCode, body: String) -> Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (status, headers, body).into_response()
}

/// Error response for the page, with an HTTP status.
pub(crate) struct Refusal {
    status: StatusCode,
    error: WireError,
}

impl Refusal {
    /// Creates a refusal of the request itself, as opposed to an error of a command.
    pub(crate) fn new(status: StatusCode, code: ErrorCode, message: impl Into<Sentence>) -> Self {
        Self { status, error: WireError::new(code, message) }
    }

    /// Creates the refusal of a body that is longer than `limit` bytes.
    pub(crate) fn too_large(limit: u64) -> Self {
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            ErrorCode::BadRequest,
            format!("this is more than the {} MiB that may be sent at once", limit >> 20),
        )
    }
}

impl From<WireError> for Refusal {
    fn from(error: WireError) -> Self {
        let status = match error.code {
            ErrorCode::BadRequest => StatusCode::BAD_REQUEST,
            ErrorCode::SignedOut => StatusCode::UNAUTHORIZED,
            ErrorCode::NoAccess => StatusCode::FORBIDDEN,
            ErrorCode::NotFound => StatusCode::NOT_FOUND,
            ErrorCode::NoPack | ErrorCode::Busy | ErrorCode::Cancelled | ErrorCode::Offline => {
                StatusCode::CONFLICT
            }
            ErrorCode::BadFile => StatusCode::UNPROCESSABLE_ENTITY,
            ErrorCode::ModelUnreachable | ErrorCode::DockerUnavailable => StatusCode::BAD_GATEWAY,
            ErrorCode::Disconnected => StatusCode::SERVICE_UNAVAILABLE,
            ErrorCode::Storage | ErrorCode::NoWorkspace => StatusCode::INSUFFICIENT_STORAGE,
            ErrorCode::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self { status, error }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        json(self.status, &self.error)
    }
}
