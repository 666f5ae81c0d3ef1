//! Refusals: answers to calls that no model answered, independent of the form.
//!
//! Clients of OpenAI and Anthropic retry 408, 409, 429 and 5xx by themselves unless
//! `x-should-retry` is `false`. The gateway sends `false` when a retry cannot help. Source: OpenAI
//! API reference, "Error codes"; openai-python, `_should_retry`.

use super::form::Form;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_engine::ports::ModelError;
use koab_engine::single_call::CallError;
use std::time::Duration;

/// Error answer to a call that no model answered.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Refusal {
    /// HTTP status.
    pub(super) status: u16,
    /// Error code for programs.
    pub(super) code: &'static str,
    /// Field of the request that caused the refusal.
    pub(super) param: Option<String>,
    /// Error message, one sentence.
    pub(super) message: Sentence,
    /// Time to wait before a retry, if a server named one.
    pub(super) retry_after: Option<Duration>,
    /// Whether a retry of the same request may succeed.
    pub(super) again: bool,
}

impl Refusal {
    pub(super) fn new(status: u16, code: &'static str, message: impl Into<Sentence>) -> Self {
        Self { status, code, param: None, message: message.into(), retry_after: None, again: false }
    }

    /// Refusal of a field that makes no sense, or that the gateway cannot forward to every model.
    pub(super) fn field(param: &str, why: impl Into<Sentence>) -> Self {
        Self {
            param: Some(param.to_owned()),
            ..Self::new(400, "unsupported_value", say!("{param} {why}", why = why.into()))
        }
    }

    pub(super) fn no_token(form: Form) -> Self {
        let place = match form {
            Form::Chat | Form::Responses => "`Authorization: Bearer TOKEN`",
            Form::Gemini => "`x-goog-api-key: TOKEN`",
            Form::Messages => "`x-api-key: TOKEN` or `Authorization: Bearer TOKEN`",
        };
        let message = format!("this gateway needs the token that was made for this trial, as {place}");
        Self::new(401, "invalid_api_key", message)
    }

    fn repeatable(self, retry_after: Option<Duration>) -> Self {
        Self { retry_after, again: true, ..self }
    }
}

impl Refusal {
    pub(super) fn from_fault(why: &CallError) -> Self {
        let message = why.to_sentence();
        match why {
            CallError::Model(error) => Self::from_model(error),
            CallError::TimedOut(_) => Self::new(504, "timeout", message).repeatable(None),
            CallError::Cancelled => {
                Self::new(503, "trial_over", "the trial is over, or the caller left before the answer came")
            }
            // 402: no client retries it by itself, and the budget will not come back.
            CallError::Budget(_) => Self::new(402, "budget_exhausted", message),
        }
    }

    fn from_model(error: &ModelError) -> Self {
        let message = error.to_sentence();
        let again = |refusal: Self| {
            if error.is_transient() { refusal.repeatable(error.asked_wait()) } else { refusal }
        };
        match error {
            ModelError::RateLimited { .. } => again(Self::new(429, "rate_limit_exceeded", message)),
            ModelError::Overloaded { status, .. } => again(Self::new(*status, "overloaded", message)),
            // Not 401: the caller's own token is good.
            ModelError::Unauthorized { .. } => Self::new(502, "provider_refuses_key", message),
            ModelError::UnknownModel { .. } => Self::new(502, "provider_lacks_model", message),
            ModelError::Http { status, .. } => {
                let status = match status {
                    401 | 403 | 407 => 502,
                    400..=599 => *status,
                    _ => 502,
                };
                again(Self::new(status, "provider_error", message))
            }
            ModelError::Unsafe { .. } => Self::new(502, "provider_unreachable", message),
            ModelError::Unreachable { .. } => again(Self::new(502, "provider_unreachable", message)),
            // Not the fault of a server. A retry fails until the user turns the offline switch off.
            ModelError::Offline(_) => Self::new(503, "offline", message),
            // A retry would fail again: the model runs in this process.
            ModelError::Embedded(_) => Self::new(502, "model_failed", message),
            ModelError::BadAnswer { .. } => again(Self::new(502, "provider_answer_unusable", message)),
        }
    }
}
