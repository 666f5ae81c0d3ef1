//! Whole attempts of agents that are shell scripts and servers of the test, and what all tests of this crate need.

pub(crate) mod desk;
mod served;
mod spoken_to;
mod started;

use koab_core::sentence::Sentence;
pub(crate) use koab_stand_ins::refused as refused_with;

/// Asserts a refusal by its whole sentence in English.
#[track_caller]
pub(crate) fn refused<T>(result: Result<T, Sentence>, sentence: &str) {
    let why = result.err().map(|why| why.to_string());
    assert_eq!(why.as_deref(), Some(sentence));
}
