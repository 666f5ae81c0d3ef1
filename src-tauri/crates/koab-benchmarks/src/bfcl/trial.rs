//! Values of unknown type in source texts, parsed by trial (`docs/spec/bfcl.md` §4).

use crate::python::{PyValue, float, int, strip};

/// Text between two quotes of one kind at both ends.
pub(super) fn unquoted<'a>(text: &'a str, quotes: &[char]) -> Option<&'a str> {
    let quote = text.chars().next().filter(|c| quotes.contains(c))?;
    text.strip_prefix(quote)?.strip_suffix(quote)
}

/// Number as Python parses it.
pub(super) fn number(text: &str) -> Option<PyValue> {
    int(text).map(PyValue::Int).or_else(|| float(text).map(PyValue::Float))
}

/// Boolean that a text says.
pub(super) fn boolean(text: &str) -> Option<PyValue> {
    match text {
        "true" => Some(PyValue::Bool(true)),
        "false" => Some(PyValue::Bool(false)),
        _ => None,
    }
}

/// Splits a list at its commas and trims the pieces. With `careful` commas inside quotes do not
/// split.
pub(super) fn pieces(text: &str, careful: bool) -> Vec<&str> {
    if !careful {
        return text.split(',').map(strip).collect();
    }
    let mut open = None;
    let mut escaped = false;
    let cut = |c: char| {
        match (open, c) {
            _ if escaped => {
                escaped = false;
                return false;
            }
            (Some(_), '\\') => escaped = true,
            (Some(quote), c) if quote == c => open = None,
            (None, '"' | '\'') => open = Some(c),
            (None, ',') => return true,
            _ => {}
        }
        false
    };
    text.split(cut).map(strip).collect()
}
