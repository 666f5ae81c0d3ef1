//! Bodies of errors in each vendor's form.

use crate::refusal::Refusal;
use serde_json::{Value, json};

/// Error in OpenAI's form: `{"error": {message, type, param, code}}`.
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

/// Error in Anthropic's form: `{"type": "error", "error": {type, message}, request_id}`.
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

/// Error in Google's form: `{"error": {code, message, status, details}}`.
pub(super) fn google(refusal: &Refusal) -> Value {
    let status = match refusal.status {
        401 => "UNAUTHENTICATED",
        402 => "FAILED_PRECONDITION",
        403 => "PERMISSION_DENIED",
        404 => "NOT_FOUND",
        409 => "ABORTED",
        429 => "RESOURCE_EXHAUSTED",
        400..=499 => "INVALID_ARGUMENT",
        503 => "UNAVAILABLE",
        504 => "DEADLINE_EXCEEDED",
        _ => "INTERNAL",
    };
    let kind = |name: &str| format!("type.googleapis.com/google.rpc.{name}");
    let field = refusal.param.as_ref().map(|field| {
        let violation = json!({"field": field, "description": refusal.message.to_string()});
        json!({"@type": kind("BadRequest"), "fieldViolations": [violation]})
    });
    let wait = refusal.retry_after.map(|wait| {
        let seconds = wait.as_secs_f64().ceil();
        json!({"@type": kind("RetryInfo"), "retryDelay": format!("{seconds}s")})
    });
    let details: Vec<Value> = field.into_iter().chain(wait).collect();
    json!({"error": {
        "code": refusal.status, "message": refusal.message.to_string(), "status": status, "details": details,
    }})
}
