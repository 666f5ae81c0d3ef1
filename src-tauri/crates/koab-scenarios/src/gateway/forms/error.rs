//! Errors as each vendor's clients know them.

use crate::gateway::refusal::Refusal;
use serde_json::{Value, json};

/// OpenAI's: `{"error": {message, type, param, code}}`.
pub(super) fn openai(refusal: &Refusal) -> Value {
    let kind = match refusal.status {
        401 => "authentication_error",
        402 => "insufficient_quota",
        429 => "rate_limit_error",
        400..=499 => "invalid_request_error",
        _ => "server_error",
    };
    json!({"error": {
        "message": refusal.message.to_string(), "type": kind, "param": refusal.param, "code": refusal.code,
    }})
}

/// Anthropic's: `{"type": "error", "error": {type, message}, request_id}`.
pub(super) fn anthropic(refusal: &Refusal) -> Value {
    let kind = match refusal.status {
        401 => "authentication_error",
        402 => "billing_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        400..=499 => "invalid_request_error",
        503 | 529 => "overloaded_error",
        504 => "timeout_error",
        _ => "api_error",
    };
    json!({
        "type": "error",
        "error": {"type": kind, "message": refusal.message.to_string()},
        "request_id": null,
    })
}
