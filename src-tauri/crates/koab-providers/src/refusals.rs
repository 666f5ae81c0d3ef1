//! Parameters that a server has refused, so that later requests are adapted.
//!
//! Names of deployments do not identify the model, and new models drop old parameters, so only the
//! server's own error is reliable. A refused request costs nothing, and each lesson is learned
//! once.

use koab_engine::ports::ModelError;
use std::sync::atomic::{AtomicBool, Ordering};

/// Refused parameters of one model at one address.
#[derive(Debug, Default)]
pub(crate) struct ModelRefusals {
    temperature: AtomicBool,
    max_tokens: AtomicBool,
}

impl ModelRefusals {
    /// Whether a temperature is refused.
    pub(crate) fn refuses_temperature(&self) -> bool {
        self.temperature.load(Ordering::Relaxed)
    }

    /// Whether the output limit must be called `max_completion_tokens`.
    pub(crate) fn renames_max_tokens(&self) -> bool {
        self.max_tokens.load(Ordering::Relaxed)
    }

    /// Learns from a refused request. Returns true if the refusal names a parameter that was not
    /// known to be refused, so that an adapted request may succeed.
    pub(crate) fn learn(&self, error: &ModelError) -> bool {
        let ModelError::Http { status: 400 | 422, message, .. } = error else {
            return false;
        };
        let message = message.to_ascii_lowercase();
        let is_refusal = [
            "support",
            "not allowed",
            "deprecated",
            "only the default",
            "may only",
            "cannot be used",
            "unrecognized",
            "unknown",
            "not permitted",
        ]
        .iter()
        .any(|word| message.contains(word));
        let lesson = if message.contains("max_completion_tokens") {
            &self.max_tokens
        } else if message.contains("temperature") && is_refusal {
            &self.temperature
        } else {
            return false;
        };
        // A repeated refusal teaches nothing: the request was already adapted and is still refused.
        !lesson.swap(true, Ordering::Relaxed)
    }

    /// Repeats a request as long as each refusal names a further parameter to adapt.
    pub(crate) async fn until_taken<T, F: Future<Output = Result<T, ModelError>>>(
        &self,
        ask: impl Fn() -> F,
    ) -> F::Output {
        loop {
            match ask().await {
                Err(error) if self.learn(&error) => {}
                answer => return answer,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learn(learned: &ModelRefusals, message: &str) -> bool {
        learned.learn(&ModelError::Http { url: String::new(), status: 400, message: message.to_owned() })
    }

    #[test]
    fn each_lesson_is_learned_once() {
        let learned = ModelRefusals::default();
        let renamed = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
        assert!(learn(&learned, renamed) && learned.renames_max_tokens());
        assert!(!learn(&learned, renamed));
        assert!(learn(&learned, "`temperature` may only be set to 1 when thinking is enabled"));
        assert!(learned.refuses_temperature());
        assert!(!learn(&learned, "prompt is too long: 210000 tokens"));
    }
}
