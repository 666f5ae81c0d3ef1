//! Policy for the retries of failed model calls.
//!
//! Only transient faults are retried. Waits grow exponentially with jitter (`backon`), so that
//! calls that failed together are not retried together; a wait that the server asks for is always
//! observed. `limiter` also delays other calls; `turn` excludes waits from a task's time.

use crate::ports::ModelError;
use backon::{BackoffBuilder as _, ExponentialBackoff, ExponentialBuilder};
use std::time::Duration;

/// Policy for the retries of failed model calls.
#[derive(Clone, Debug)]
pub struct RetryPolicy {
    /// Maximum number of calls (1 or more) if a server is busy or failing (429, 5xx, 529). Such
    /// faults may last for some time.
    pub busy_attempts: u32,
    /// Maximum number of calls (1 or more) if no server answers, an answer is interrupted, or the
    /// server returns 408, 409 or 425.
    pub attempts: u32,
    /// Minimum of the first wait. Each further wait is twice as long. Jitter makes a wait up to
    /// twice as long.
    pub first_wait: Duration,
    /// Maximum wait that the policy itself chooses.
    pub longest_wait: Duration,
    /// Maximum wait that a server may ask for. For a longer wait, such as until the next day, the
    /// run ends and can be resumed.
    pub longest_asked: Duration,
}

impl Default for RetryPolicy {
    /// The default policy. It allows more calls than the published three, since outages during a
    /// run of hundreds of calls may last longer.
    fn default() -> Self {
        Self {
            busy_attempts: 10,
            attempts: 6,
            first_wait: Duration::from_millis(250),
            longest_wait: Duration::from_secs(30),
            longest_asked: Duration::from_secs(15 * 60),
        }
    }
}

impl RetryPolicy {
    /// Whether the server asks for a longer wait than the policy allows.
    pub fn asks_too_much(&self, error: &ModelError) -> bool {
        error.asked_wait().is_some_and(|wait| wait > self.longest_asked)
    }

    /// Begins the repeated calls for one request.
    pub fn begin(&self) -> Retries<'_> {
        let waits = ExponentialBuilder::new()
            .with_min_delay(self.first_wait)
            .with_max_delay(self.longest_wait)
            .without_max_times()
            .with_jitter();
        Retries { policy: self, busy: 0, other: 0, waits: waits.build() }
    }
}

/// State of the repeated calls for one request.
#[derive(Debug)]
pub struct Retries<'a> {
    policy: &'a RetryPolicy,
    busy: u32,
    other: u32,
    waits: ExponentialBackoff,
}

impl Retries<'_> {
    /// The wait before the next call after this fault; `None` if there is no further call.
    pub fn wait_after(&mut self, error: &ModelError) -> Option<Duration> {
        if !error.is_transient() || self.policy.asks_too_much(error) {
            return None;
        }
        // Two counts, so that a broken connection in a long busy spell does not end it.
        let (made, allowed) = if error.is_busy() {
            (&mut self.busy, self.policy.busy_attempts)
        } else {
            (&mut self.other, self.policy.attempts)
        };
        *made += 1;
        if *made >= allowed {
            return None;
        }
        let own = self.waits.next()?;
        Some(own.max(error.asked_wait().unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use koab_core::sentence::Sentence;

    fn http(status: u16) -> ModelError {
        ModelError::Http { url: String::new(), status, message: String::new() }
    }

    fn limited(asked: Option<u64>) -> ModelError {
        ModelError::RateLimited {
            url: String::new(),
            retry_after: asked.map(Duration::from_secs),
            message: String::new(),
        }
    }

    fn broken(transient: bool) -> ModelError {
        ModelError::BadAnswer { url: String::new(), cause: Sentence::EMPTY, transient }
    }

    #[test]
    fn only_what_may_pass_is_tried_again() {
        let policy = RetryPolicy::default();
        for (error, tries) in [
            (http(400), 1),
            (http(404), 1),
            (http(413), 1),
            (http(422), 1),
            (http(501), 1),
            (http(408), 6),
            (http(409), 6),
            (http(425), 6),
            (http(500), 10),
            (http(503), 10),
            (http(520), 10),
            (http(529), 10),
            (limited(None), 10),
            (limited(Some(901)), 1),
            (broken(true), 6),
            (broken(false), 1),
            (ModelError::Unauthorized { url: String::new(), status: 403, message: String::new() }, 1),
            (ModelError::Unreachable { url: String::new(), cause: Sentence::EMPTY }, 6),
        ] {
            let mut course = policy.begin();
            let made = 1 + std::iter::from_fn(|| course.wait_after(&error)).count();
            assert_eq!(made, tries, "{error:?}");
        }
    }

    #[test]
    fn waits_double_are_spread_and_keep_the_server_s_time() {
        let policy = RetryPolicy::default();
        let mut course = policy.begin();
        let waits: Vec<f64> =
            std::iter::from_fn(|| course.wait_after(&http(500))).map(|wait| wait.as_secs_f64()).collect();
        for (wait, least) in waits.iter().zip([0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]) {
            assert!((least..=2.0 * least).contains(wait), "{waits:?}");
        }
        let asked = policy.begin().wait_after(&limited(Some(60)));
        assert_eq!(asked, Some(Duration::from_secs(60)));
        let at_once = policy.begin().wait_after(&limited(Some(0)));
        assert!(at_once >= Some(policy.first_wait), "nobody is hammered: {at_once:?}");
    }
}
