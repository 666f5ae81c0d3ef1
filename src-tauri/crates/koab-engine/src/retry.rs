//! When a failed model call is made again, and after how long.

use crate::ports::ModelError;
use std::time::Duration;

/// How failed model calls are repeated: only faults that may pass, a fixed number of times, waiting longer each time.
#[derive(Clone, Debug)]
pub struct RetryPolicy {
    /// Calls in all, 1 or more.
    pub attempts: u32,
    /// Wait before the second call; doubled before each further one.
    pub first_wait: Duration,
    /// No wait is longer, whatever the server asks.
    pub longest_wait: Duration,
}

impl Default for RetryPolicy {
    /// Three calls, 1 s and 2 s apart, as published.
    fn default() -> Self {
        Self {
            attempts: 3,
            first_wait: Duration::from_secs(1),
            longest_wait: Duration::from_secs(120),
        }
    }
}

impl RetryPolicy {
    /// The wait before the next call after `made` calls, or `None` when the fault stands.
    pub fn wait_after(&self, made: u32, error: &ModelError) -> Option<Duration> {
        if made >= self.attempts || !error.is_transient() {
            return None;
        }
        let own = self.first_wait.saturating_mul(1 << (made - 1).min(16));
        let asked = match error {
            ModelError::RateLimited { retry_after, .. } => retry_after.unwrap_or_default(),
            _ => Duration::ZERO,
        };
        Some(own.max(asked).min(self.longest_wait))
    }
}
