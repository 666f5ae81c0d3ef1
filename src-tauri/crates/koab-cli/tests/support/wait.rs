//! Waiting for what another process or thread does.

use std::fmt::Display;
use std::time::{Duration, Instant};

/// Pause after the first look. Each further pause is half as long again.
const FIRST_PAUSE: Duration = Duration::from_millis(10);
/// Longest pause. Some looks start a process, so they must not follow each other closely.
const MAX_PAUSE: Duration = Duration::from_millis(250);

/// Result of one look: `true`, `Some` or `Ok` end the waiting. An `Err` holds the state that the test complains about.
pub trait Look {
    type Value;

    /// # Errors
    /// The state that was seen, where the condition does not hold yet.
    fn outcome(self) -> Result<Self::Value, String>;
}

impl Look for bool {
    type Value = ();

    fn outcome(self) -> Result<(), String> {
        self.then_some(()).ok_or_else(|| "the condition is false".to_owned())
    }
}

impl<T> Look for Option<T> {
    type Value = T;

    fn outcome(self) -> Result<T, String> {
        self.ok_or_else(|| "there is nothing".to_owned())
    }
}

impl<T, S: Display> Look for Result<T, S> {
    type Value = T;

    fn outcome(self) -> Result<T, String> {
        self.map_err(|state| state.to_string())
    }
}

/// Looks until the condition holds and returns its value. Panics at the limit with `what` and the last state.
#[track_caller]
pub fn until<L: Look>(what: &str, limit: Duration, mut look: impl FnMut() -> L) -> L::Value {
    let start = Instant::now();
    let mut pause = FIRST_PAUSE;
    loop {
        match look().outcome() {
            Ok(value) => return value,
            Err(state) => {
                assert!(start.elapsed() < limit, "{what}: not within {limit:?}; last state: {state}")
            }
        }
        std::thread::sleep(pause);
        pause = (pause + pause / 2).min(MAX_PAUSE);
    }
}
