//! Values in JavaScript source text (`docs/spec/bfcl.md` §4). Text that is not a value of the type
//! stays text.

use super::trial::{self, boolean, unquoted};
use crate::python::{PyValue, float, int, strip};
use indexmap::IndexMap;
use regex::Regex;
use std::sync::LazyLock;

macro_rules! pattern {
    ($name:ident, $pattern:literal) => {
        static $name: LazyLock<Regex> =
            LazyLock::new(|| Regex::new($pattern).expect("BUG: the pattern is one"));
    };
}

pattern!(INTEGER, r"\A-?\d+\n?\z");
pattern!(FLOAT, r"\A-?\d+(\.\d+)?\n?\z");
pattern!(BIG, r"\A-?\d+n\n?\z");
pattern!(TWO_DIMENSIONS, r"\A(?:\[\s*(?:\[.*?\][\s,]*)+\s*\]|new\s+Array\(\s*(?:\[.*?\][\s,]*)+\s*\))");
pattern!(INNER, r"\[(.*?)\]");
pattern!(ONE_DIMENSION, r"\A(?:\[(.*?)\]|new\s+Array\((.*?)\))");
pattern!(DICT, r"\A\{(.*?)\}");

const QUOTES: [char; 2] = ['"', '\''];

/// Value of a JavaScript source text. If `careful` is set, commas inside of quotes do not separate
/// items.
pub(super) fn value(text: &str, type_name: &str, item_type: Option<&str>, careful: bool) -> PyValue {
    let parsed = match type_name {
        "integer" => INTEGER.is_match(text).then(|| int(text).map(PyValue::Int)).flatten(),
        "float" => FLOAT.is_match(text).then(|| float(text).map(PyValue::Float)).flatten(),
        "Bigint" => {
            let digits = BIG.is_match(text).then(|| strip(text).trim_end_matches('n'));
            digits.and_then(int).map(PyValue::Int)
        }
        "Boolean" => boolean(text),
        "String" => unquoted(text, &QUOTES).map(|text| PyValue::Text(text.to_owned())),
        "array" => array(strip(text), item_type, careful),
        "dict" => dict(strip(text), careful),
        _ => None,
    };
    let text = if type_name == "dict" || type_name == "array" { strip(text) } else { text };
    parsed.unwrap_or_else(|| PyValue::Text(text.to_owned()))
}

/// Value of a JavaScript source text whose type is unknown: a boolean, a text in quotes or a
/// number. Any other text is returned unchanged.
fn by_trial(text: &str) -> PyValue {
    let parsed = boolean(text).or_else(|| match unquoted(text, &QUOTES) {
        Some(text) => Some(PyValue::Text(text.to_owned())),
        None => trial::number(text),
    });
    parsed.unwrap_or_else(|| PyValue::Text(text.to_owned()))
}

fn array(text: &str, item_type: Option<&str>, careful: bool) -> Option<PyValue> {
    if let Some(outer) = TWO_DIMENSIONS.find(text) {
        let inner = INNER.captures_iter(outer.as_str()).map(|inner| {
            let pieces = trial::pieces(strip(&inner[1]).trim_start_matches('['), careful);
            PyValue::List(pieces.into_iter().map(by_trial).collect())
        });
        return Some(PyValue::List(inner.collect()));
    }
    let captures = ONE_DIMENSION.captures(text)?;
    let inner = captures.get(1).or_else(|| captures.get(2))?.as_str();
    if strip(inner).is_empty() {
        return Some(PyValue::List(Vec::new()));
    }
    let pieces = trial::pieces(inner, careful).into_iter().map(|piece| match item_type {
        Some(item_type) => value(piece, item_type, None, careful),
        None => by_trial(piece),
    });
    Some(PyValue::List(pieces.collect()))
}

fn dict(text: &str, careful: bool) -> Option<PyValue> {
    if text == "{}" {
        return Some(PyValue::Dict(IndexMap::new()));
    }
    let captures = DICT.captures(text)?;
    let mut rest = captures.get(1)?.as_str();
    let mut entries = IndexMap::new();
    while let Some((key, after)) = rest.split_once(':') {
        if key.is_empty() {
            rest = after;
            continue;
        }
        let after = after.trim_start();
        let (value, more) = split_value(after);
        entries.insert(strip(key).trim_matches(QUOTES).to_owned(), entry(strip(value), careful));
        rest = more;
    }
    Some(PyValue::Dict(entries))
}

/// Splits the first value of an object from the rest, at the comma before the next key.
///
/// Blanks after this comma belong to the key only if the key would otherwise be empty.
fn split_value(text: &str) -> (&str, &str) {
    for (at, _) in text.match_indices(',') {
        let after = &text[at + 1..];
        let blanks = after.len() - after.trim_start().len();
        // If no key starts at one of these two positions, none starts at an earlier blank.
        let last = after[..blanks].char_indices().next_back().map(|(last, _)| last);
        let is_key = |start: &usize| {
            let head = after[*start..].split(',').next().unwrap_or_default();
            // The character before the colon may be a colon itself.
            head.chars().skip(1).any(|c| c == ':')
        };
        if let Some(start) = [Some(blanks), last].into_iter().flatten().find(is_key) {
            return (&text[..at], &after[start..]);
        }
    }
    (text, "")
}

fn entry(text: &str, careful: bool) -> PyValue {
    let nested = match text.chars().next() {
        Some('[') if text.ends_with(']') => array(text, None, careful),
        Some('{') if text.ends_with('}') => dict(text, careful),
        _ => None,
    };
    nested.unwrap_or_else(|| by_trial(text.trim_matches(QUOTES)))
}

#[cfg(test)]
mod tests {
    use super::value;
    use crate::python::PyValue;

    #[test]
    fn an_object_is_cut_in_front_of_keys() {
        for (text, expected) in [
            ("{a: x, b: y}", &[("a", "x"), ("b", "y")][..]),
            ("{a: x, y, b: z}", &[("a", "x, y"), ("b", "z")]),
            ("{'c': x, : :}", &[("c", "x"), ("", "")]),
            ("{a: x,   : y}", &[("a", "x"), ("", "y")]),
        ] {
            let PyValue::Dict(found) = value(text, "dict", None, false) else {
                panic!("{text} is no object");
            };
            let found: Vec<_> =
                found.iter().map(|(key, value)| (key.as_str(), value.text().unwrap_or("?"))).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    /// A search from each blank would be 500,000,000,000 steps, which no test's time allows.
    #[test]
    fn blanks_behind_a_comma_take_one_pass() {
        let text = format!("{{a: x,{}y}}", " ".repeat(1 << 20));
        assert!(matches!(value(&text, "dict", None, false), PyValue::Dict(_)));
    }
}
