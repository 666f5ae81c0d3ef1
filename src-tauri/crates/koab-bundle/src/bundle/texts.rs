//! Describes the differences between two documents of a bundle in words.

use koab_core::changes::{ValueChange, changes};
use koab_core::python::{Dumps, dumps};
use serde_json::Value;

/// Maximum number of listed differences in one file.
pub(super) const LISTED: usize = 5;

/// Lists in published reports that have no fixed order, because they were written from a hash set.
const UNORDERED: [&str; 5] =
    ["required_tools", "covered_tools", "missing_tools", "fallback_candidates", "fallback_tools"];

/// JSON format of runs and reports.
pub(super) const AS_RUNS: Dumps = Dumps { ascii: false, sorted: false, indent: Some(2) };

/// A difference between two documents: its path, the value in the document, and the expected value.
#[derive(Clone)]
pub(crate) struct Difference {
    pub(crate) at: String,
    pub(crate) here: String,
    pub(crate) there: String,
}

/// First differences between a document and the expected document. Numbers of equal value count as
/// equal in any notation.
pub(super) fn differences(here: &Value, there: &Value) -> Vec<Difference> {
    let text = |side: Option<String>| side.unwrap_or_else(|| "missing".to_owned());
    let difference = |change: ValueChange| Difference {
        at: if change.path.is_empty() { "the whole".to_owned() } else { change.path },
        here: text(change.then),
        there: text(change.now),
    };
    changes(here, there, LISTED).shown.into_iter().map(difference).collect()
}

/// Sorts the lists and objects that have no fixed order.
pub(super) fn in_one_order(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map.iter_mut() {
                match inner {
                    Value::Array(items) if UNORDERED.contains(&key.as_str()) => {
                        items.sort_by_key(Value::to_string);
                    }
                    Value::Object(sources) if key == "source_eprs" => sources.sort_keys(),
                    inner => in_one_order(inner),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(in_one_order),
        _ => {}
    }
}

/// A value as JSON on one line.
pub(super) fn line(value: &Value) -> String {
    dumps(value, Dumps { ascii: false, ..Dumps::default() })
}

/// Shortens a long text for use in a sentence.
pub(super) fn cut(text: &str) -> String {
    const MAX_CHARS: usize = 120;
    match text.char_indices().nth(MAX_CHARS) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
