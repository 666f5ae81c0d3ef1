//! Values in Java source text (`docs/spec/bfcl.md` §4). Text that is not a value of the type stays
//! text.

use super::trial::{self, boolean, unquoted};
use crate::python::{PyValue, digit, float, int, strip};
use regex::Regex;
use std::sync::LazyLock;

macro_rules! pattern {
    ($name:ident, $pattern:literal) => {
        static $name: LazyLock<Regex> =
            LazyLock::new(|| Regex::new($pattern).expect("BUG: the pattern is one"));
    };
}

pattern!(INTEGER, r"\A-?\d+\n?\z");
pattern!(LONG, r"\A-?\d+[lL]\n?\z");
pattern!(FLOAT, r"\A-?\d+(\.\d+)?([eE][+-]?\d+)?[fF]\n?\z");
pattern!(DOUBLE, r"\A-?\d+(\.\d+)?([eE][+-]?\d+)?\n?\z");
pattern!(AS_LIST, r"new\s+ArrayList<\w*>\(Arrays\.asList\((.+?)\)\)");
pattern!(ADDED, r"(?s)new\s+ArrayList<\w*>\(\)\s*\{\{\s*(.+?)\s*\}\}");
pattern!(ADD, r"(?s)add\((.+?)\)");
pattern!(EMPTY_LIST, r"new\s+ArrayList<\w*>\(\)");
pattern!(ARRAY, r"new\s+\w+\[\]\s*\{(.*?)\}");
pattern!(MAP, r"(?s)new\s+HashMap<.*?>\s*\(\)\s*\{\s*\{?(.*?)\}");
pattern!(PUT, r#"(?s)put\("(.*?)",\s*(.*?)\)"#);
pattern!(EMPTY_MAP, r"new\s+HashMap<.*?>\s*\(\)");

/// Value of a Java source text. If `careful` is set, items may be in quotes that contain commas.
pub(super) fn value(text: &str, type_name: &str, item_type: Option<&str>, careful: bool) -> PyValue {
    let parsed = match type_name {
        "integer" | "byte" | "short" => INTEGER.is_match(text).then(|| int(text).map(PyValue::Int)).flatten(),
        "long" => number_before(text, &LONG).and_then(int).map(PyValue::Int),
        "float" => number_before(text, &FLOAT).and_then(float).map(PyValue::Float),
        "double" => DOUBLE.is_match(text).then(|| float(text).map(PyValue::Float)).flatten(),
        "boolean" => boolean(text),
        "ArrayList" => array_list(text, item_type, careful),
        "Array" => array(text, item_type, careful),
        "HashMap" => hash_map(text),
        _ => None,
    };
    parsed.unwrap_or_else(|| PyValue::Text(text.to_owned()))
}

/// Number in a literal, without the letter of its type at the end.
fn number_before<'a>(text: &'a str, pattern: &Regex) -> Option<&'a str> {
    let number = pattern.is_match(text).then_some(text)?;
    Some(number.trim_end_matches(|c: char| {
        c.is_ascii_whitespace() || (c.is_ascii_alphabetic() && digit(c).is_none())
    }))
}

fn array_list(text: &str, item_type: Option<&str>, careful: bool) -> Option<PyValue> {
    let item = |piece: &str| list_item(piece, item_type, careful);
    if let Some(captures) = AS_LIST.captures(text) {
        let pieces = trial::pieces(&captures[1], careful);
        return Some(PyValue::List(pieces.into_iter().map(item).collect()));
    }
    if let Some(captures) = ADDED.captures(text) {
        let added = ADD.captures_iter(captures.get(1)?.as_str());
        return Some(PyValue::List(added.map(|add| item(strip(&add[1]))).collect()));
    }
    EMPTY_LIST.is_match(text).then(|| PyValue::List(Vec::new()))
}

fn list_item(piece: &str, item_type: Option<&str>, careful: bool) -> PyValue {
    match item_type {
        Some("char" | "String") if careful => text_item(piece),
        Some("char" | "String") => {
            // The first and the last character are dropped, even if they are not quotes.
            let mut chars = piece.chars();
            chars.next();
            chars.next_back();
            PyValue::Text(chars.as_str().to_owned())
        }
        item_type => value(piece, item_type.unwrap_or_default(), None, careful),
    }
}

fn text_item(piece: &str) -> PyValue {
    PyValue::Text(unquoted(piece, &['"', '\'']).unwrap_or(piece).to_owned())
}

fn array(text: &str, item_type: Option<&str>, careful: bool) -> Option<PyValue> {
    let captures = ARRAY.captures(text)?;
    let pieces = trial::pieces(captures.get(1)?.as_str(), careful).into_iter();
    let items = pieces.filter(|piece| !piece.is_empty()).map(|piece| match item_type {
        Some("char" | "String") if careful => text_item(piece),
        item_type => value(piece, item_type.unwrap_or_default(), None, careful),
    });
    Some(PyValue::List(items.collect()))
}

fn hash_map(text: &str) -> Option<PyValue> {
    let Some(captures) = MAP.captures(text) else {
        return EMPTY_MAP.is_match(text).then(|| PyValue::Dict(indexmap::IndexMap::new()));
    };
    let entries = PUT.captures_iter(captures.get(1)?.as_str());
    let entries = entries.map(|put| (put[1].to_owned(), map_value(strip(&put[2]))));
    Some(PyValue::Dict(entries.collect()))
}

fn map_value(text: &str) -> PyValue {
    if let Some(value) = boolean(text) {
        return value;
    }
    if let Some(inner) = unquoted(text, &['"']) {
        return PyValue::Text(inner.to_owned());
    }
    let typed = [("long", &LONG), ("float", &FLOAT)];
    for (type_name, pattern) in typed {
        if pattern.is_match(text) {
            return value(text, type_name, None, false);
        }
    }
    trial::number(text).unwrap_or_else(|| PyValue::Text(text.to_owned()))
}
