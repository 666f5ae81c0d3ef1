//! Converts `genai`'s failures to the engine's errors.

use crate::http::{Errors, shorten};
use genai::Error;
use koab_core::say;
use koab_engine::egress;
use koab_engine::ports::ModelError;
use serde_json::Value;

/// Converts a failure of `genai`. The text of the failure is not used if it would contain the
/// request.
pub(super) fn named(error: Error, errors: &Errors) -> ModelError {
    match error {
        Error::HttpError { status, body, headers, .. } => {
            errors.refused_with(status, &headers, body.as_bytes())
        }
        Error::WebStream { error, .. } => match error.downcast::<Error>() {
            Ok(error) => named(*error, errors),
            Err(error) => broken(&*error, errors),
        },
        Error::ChatResponse { body, .. } => in_stream(&body, errors),
        Error::StreamParse { serde_error, .. } => match serde_error.classify() {
            serde_json::error::Category::Eof => {
                errors.broken(say!("it is cut off in the middle of its JSON"))
            }
            _ => errors.strange(say!("an event is not JSON ({serde_error})")),
        },
        Error::WebModelCall { webc_error, .. } | Error::WebAdapterCall { webc_error, .. } => match webc_error
        {
            genai::webc::Error::ResponseFailedStatus { status, body, headers } => {
                errors.refused_with(status, &headers, body.as_bytes())
            }
            genai::webc::Error::Reqwest(error) => errors.unsent(&error),
            other => errors.strange(shorten(&other.to_string())),
        },
        other => errors.strange(shorten(&other.to_string())),
    }
}

fn broken(error: &(dyn std::error::Error + Send + Sync + 'static), errors: &Errors) -> ModelError {
    if let Some(offline) = egress::refusal(error) {
        return offline.into();
    }
    match error.downcast_ref::<reqwest::Error>() {
        Some(error) if error.is_body() || error.is_decode() => errors.reading(error),
        Some(error) => errors.unsent(error),
        None if error.is::<std::string::FromUtf8Error>() => errors.broken(say!("it is not text (UTF-8)")),
        None => errors.broken(shorten(&error.to_string())),
    }
}

/// Error of an event that reports an error, or that is not a part of an answer.
fn in_stream(body: &Value, errors: &Errors) -> ModelError {
    let error = body.get("error").unwrap_or(body);
    match error {
        Value::Object(fields) if fields.contains_key("message") => errors.reported(error),
        Value::String(_) => errors.reported(error),
        // `genai` reports an event of Gemini without candidates and error in this way.
        _ => errors.broken(say!("an event of it holds no part of an answer")),
    }
}
