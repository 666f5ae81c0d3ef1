//! Words for a shell, and words that somebody wrote for one.

use crate::error::ClusterError;
use koab_core::say;
use std::path::Path;

/// A word as a shell takes it for itself.
///
/// # Errors
/// When it holds a NUL, which no program can be given.
pub(crate) fn quoted(word: &str) -> Result<String, ClusterError> {
    shlex::try_quote(word)
        .map(std::borrow::Cow::into_owned)
        .map_err(|_| ClusterError::BadRequest(say!("a word for the engine holds a NUL character")))
}

/// A path as a shell takes it.
pub(crate) fn quoted_path(path: &Path) -> Result<String, ClusterError> {
    quoted(text(path)?)
}

/// A path as text.
pub(crate) fn text(path: &Path) -> Result<&str, ClusterError> {
    path.to_str().ok_or_else(|| {
        ClusterError::BadRequest(say!("{} is not text in UTF-8, which engines need", path.display()))
    })
}

/// The words of a text as a shell would take them; nothing in it is carried out.
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

/// One line without anything that a terminal would obey.
pub(crate) fn clean(text: &str) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(400).collect();
    line.trim().to_owned()
}
