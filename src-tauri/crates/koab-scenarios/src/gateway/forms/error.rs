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
