//! Quoting and splitting of words for a shell.

use crate::error::ClusterError;
use koab_core::say;
use std::path::Path;

/// Quotes a word for a shell.
///
/// # Errors
/// When the word contains a NUL, which no argument of a program can contain.
pub(crate) fn quoted(word: &str) -> Result<String, ClusterError> {
    shlex::try_quote(word)
        .map(std::borrow::Cow::into_owned)
        .map_err(|_| ClusterError::BadRequest(say!("an argument for the cluster contains a NUL character")))
}

/// Quotes a path for a shell.
pub(crate) fn quoted_path(path: &Path) -> Result<String, ClusterError> {
    quoted(text(path)?)
}

/// Returns a path as a string.
pub(crate) fn text(path: &Path) -> Result<&str, ClusterError> {
    path.to_str().ok_or_else(|| {
        ClusterError::BadRequest(say!(
            "{} is not text in UTF-8, so it cannot be passed to a cluster",
            path.display()
        ))
    })
}

/// Splits a text into words like a shell, without expanding or running anything in it.
///
/// # Errors
/// When a quotation mark is not closed.
pub fn split(text: &str) -> Result<Vec<String>, ClusterError> {
    shlex::split(text).ok_or_else(|| {
        ClusterError::BadRequest(say!(
            "a quotation mark in --engine-args is not closed; write it as in a shell, such as \"-p gpu --time=4:00:00\""
        ))
    })
}

/// Replaces control characters by spaces and cuts the text at 400 characters, so that it is safe on
/// a terminal.
pub(crate) fn clean(text: &str) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(400).collect();
    line.trim().to_owned()
}
