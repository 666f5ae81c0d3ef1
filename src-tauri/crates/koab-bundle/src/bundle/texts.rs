//! Where two documents of a bundle differ, in words.

use koab_core::changes::{ValueChange, changes};
use koab_core::python::{Dumps, dumps};
use serde_json::Value;

/// Differences of one file that are listed one by one.
pub(super) const LISTED: usize = 5;

/// Lists of published reports that have the order of a hash set in the process that wrote them.
const UNORDERED: [&str; 5] =
    ["required_tools", "covered_tools", "missing_tools", "fallback_candidates", "fallback_tools"];

/// How runs and reports are written.
pub(super) const AS_RUNS: Dumps = Dumps { ascii: false, sorted: false, indent: Some(2) };

/// A difference: where, what stands here, what it should be.
#[derive(Clone)]
pub(crate) struct Difference {
    pub(crate) at: String,
    pub(crate) here: String,
    pub(crate) there: String,
}

/// The first differences of a document from what it should be. Numbers that are equal are equal,
/// however they are written.
pub(super) fn differences(here: &Value, there: &Value) -> Vec<Difference> {
    let said = |side: Option<String>| side.unwrap_or_else(|| "missing".to_owned());
    let difference = |change: ValueChange| Difference {
        at: if change.path.is_empty() { "the whole".to_owned() } else { change.path },
        here: said(change.then),
        there: said(change.now),
    };
    let found = changes(here, there, LISTED).shown.into_iter();
    found.map(difference).collect()
}

/// Puts what has no order into one.
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

/// A value as one line.
pub(super) fn line(value: &Value) -> String {
    dumps(value, Dumps { ascii: false, ..Dumps::default() })
}

/// A text cut where it is long, for a sentence.
pub(super) fn cut(text: &str) -> String {
    const MOST: usize = 120;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
