//! Values in source text whose type is unknown. Possible types are tried one after the other
//! (`docs/spec/bfcl.md` §4).

use crate::python::{PyValue, float, int, strip};

/// Text without the quotes at both ends, which must be of the same kind.
pub(super) fn unquoted<'a>(text: &'a str, quotes: &[char]) -> Option<&'a str> {
    let quote = text.chars().next().filter(|c| quotes.contains(c))?;
    text.strip_prefix(quote)?.strip_suffix(quote)
}

/// Number in a text, parsed as in Python.
pub(super) fn number(text: &str) -> Option<PyValue> {
    int(text).map(PyValue::Int).or_else(|| float(text).map(PyValue::Float))
}

/// Boolean value that a text names.
pub(super) fn boolean(text: &str) -> Option<PyValue> {
    match text {
        "true" => Some(PyValue::Bool(true)),
        "false" => Some(PyValue::Bool(false)),
        _ => None,
    }
}

/// Splits a list at its commas and trims the items. If `careful` is set, commas inside of quotes do
/// not split.
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
