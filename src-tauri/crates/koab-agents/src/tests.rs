//! Whole attempts of agents that are shell scripts and servers of the test, and what all tests of this crate need.

pub(crate) mod desk;
mod served;
mod spoken_to;
mod started;

use koab_core::sentence::Sentence;
use koab_workspace::WireError;

/// Asserts a refusal by its whole sentence in English.
#[track_caller]
pub(crate) fn refused<T>(result: Result<T, Sentence>, sentence: &str) {
    let why = result.err().map(|why| why.to_string());
    assert_eq!(why.as_deref(), Some(sentence));
}

/// Asserts that a refusal's sentence has a part in English.
#[track_caller]
pub(crate) fn refused_with<T>(result: Result<T, WireError>, part: &str) {
    let why = result.err().map(|error| error.message.to_string());
    let why = why.expect("a refusal");
    assert!(why.contains(part), "{why}\ninstead of\n{part}");
}
