//! Answer to an empty request, which tells whether a server speaks a protocol.
//!
//! The request has no model and no message, so no server can charge for it. A server of the
//! protocol refuses its content; any other server does not know the path.

use crate::http::{Errors, Response, is_html, is_roomy};
use koab_core::say;
use koab_engine::ports::ModelError;
use serde_json::Value;

/// Body of the request.
pub(crate) const EMPTY_REQUEST: &str = "{}";

/// Checks the answer to an empty request. `is_known` says that the server has already answered
/// another request as its protocol demands.
///
/// # Errors
/// When the server refuses the key, is busy, or speaks another protocol.
pub(crate) async fn judge(response: Response, is_known: bool, errors: &Errors) -> Result<(), ModelError> {
    let status = response.status();
    match status.as_u16() {
        200..=299 if is_known => Ok(()),
        200..=299 => {
            let is_page = is_html(response.headers());
            let body = response.bytes().await.map_err(|error| errors.reading(&error))?;
            if !is_page && has_answer(&body) {
                return Ok(());
            }
            Err(errors.strange(say!("it is not an answer of this protocol")))
        }
        300..=399 | 401 | 403 | 404 | 405 | 429 | 501..=599 => match errors.refused(response).await {
            // An empty request names no model, and some servers say just that.
            ModelError::UnknownModel { .. } => Ok(()),
            error => Err(error),
        },
        _ if is_html(response.headers()) => Err(errors.refused(response).await),
        _ => Ok(()),
    }
}

/// Whether the body is an answer of a model or a reported error.
fn has_answer(body: &[u8]) -> bool {
    let is_field = |json: &Value| {
        ["choices", "content", "candidates", "error"].iter().any(|name| json.get(name).is_some())
    };
    body.starts_with(b"data:")
        || is_roomy(body).is_ok() && serde_json::from_slice(body).is_ok_and(|json| is_field(&json))
}
