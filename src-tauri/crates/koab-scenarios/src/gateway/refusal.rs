//! Calls without an answer of a model, whatever form says so.
//!
//! Clients of OpenAI and Anthropic repeat 408, 409, 429 and 5xx by themselves unless
//! `x-should-retry` says no; where asking again cannot help, it does. Source: OpenAI API reference,
//! "Error codes"; openai-python, `_should_retry`.

use super::form::Form;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_engine::ports::ModelError;
use koab_engine::single_call::CallError;
use std::time::Duration;

/// A call without an answer of a model.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Refusal {
    /// HTTP status.
    pub(super) status: u16,
    /// What programs tell it by.
    pub(super) code: &'static str,
    /// The field of the request that it is about.
    pub(super) param: Option<String>,
    /// One sentence for people.
    pub(super) message: Sentence,
    /// When to come back, as far as somebody said.
    pub(super) retry_after: Option<Duration>,
    /// Whether the same request may be answered later.
    pub(super) again: bool,
}

impl Refusal {
    pub(super) fn new(status: u16, code: &'static str, message: impl Into<Sentence>) -> Self {
        Self { status, code, param: None, message: message.into(), retry_after: None, again: false }
    }

    /// A field of the request that makes no sense, or that the gateway cannot carry to every model.
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
            // A status that no client repeats by itself: the money is gone for good.
            CallError::Budget(_) => Self::new(402, "budget_exhausted", message),
        }
    }

    fn from_model(error: &ModelError) -> Self {
        let message = error.to_sentence();
        let again = |refusal: Self| match error.is_transient() {
            true => refusal.repeatable(error.asked_wait()),
            false => refusal,
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
            // Asked again it would fail again: it is in this very process.
            // No server's fault, and the same until the user turns the switch.
            ModelError::Offline(_) => Self::new(503, "offline", message),
            ModelError::Embedded(_) => Self::new(502, "model_failed", message),
            ModelError::BadAnswer { .. } => again(Self::new(502, "provider_answer_unusable", message)),
        }
    }
}
