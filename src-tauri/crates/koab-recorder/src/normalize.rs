//! Rules that treat different texts as equal when arguments are matched and when drift is computed.
//! The rules never change the texts that are sent.

use koab_engine::canonical_arguments::canonical_text;
use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::LazyLock;

/// Rules of a recorded pack for texts that count as equal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Normalize {
    /// Working folder of the recording, if the request named it. Matching replaces it by `{work}`
    /// in arguments.
    pub work: Option<String>,
    /// Whether the recording's working folder is replaced in answers by the caller's working
    /// folder.
    pub rewrite: bool,
    /// Places of answers that drift ignores, each as a tool and a JSON pointer.
    pub ignore: Vec<(String, String)>,
}

/// Placeholder for the working folder.
const WORK: &str = "{work}";

static TIMES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?",
        r"|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [A-Za-z0-9]{1,3} [A-Za-z0-9]{1,3} \d{2,4}(?: \d{2}:\d{2}:\d{2}(?: \d{4})?(?: ?(?:GMT|UTC)?(?:[+-]\d{4})?(?: \([^)]*\))?)?)?",
        r"|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]* [A-Z][a-z]{2} +\d{1,2} \d{2}:\d{2}:\d{2} \d{4}(?: [+-]\d{4})?",
        r"|\b\d{1,2}:\d{2}:\d{2}(?:\.\d+)?\b",
        r"|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b",
        r"|\b1[6-9]\d{8}(?:\d{3})?(?:\.\d+)?\b",
    ))
});
static IDS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b",
        r"|\b[0-9a-fA-F]{32,}\b",
        r"|(?:127\.0\.0\.1|localhost):\d+",
    ))
});

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("BUG: a pattern of our own is one")
}

impl Normalize {
    /// Normalized arguments of a call, for matching. `here` is the caller's working folder.
    pub(crate) fn arguments(&self, arguments: Option<&str>, here: Option<&str>) -> String {
        let Some(text) = arguments else {
            return String::new();
        };
        let Ok(mut value) = serde_json::from_str::<Value>(text) else {
            return text.to_owned();
        };
        if let Some(folder) = here.or(self.work.as_deref()) {
            texts(&mut value, &|text| put(text, folder, WORK));
        }
        canonical_text(&value)
    }

    /// Answer for a caller whose working folder is `here`.
    pub(crate) fn answer(&self, answer: &str, here: Option<&str>) -> String {
        match (&self.work, here) {
            (Some(work), Some(here)) if self.rewrite && work != here => {
                put(answer, &escaped(work), &escaped(here))
            }
            _ => answer.to_owned(),
        }
    }

    /// Normalized answer, for the comparison of drift. `here` is the working folder of the server
    /// that gave the answer.
    pub(crate) fn compared(&self, tool: &str, answer: &str, here: Option<&str>) -> Value {
        let Ok(mut value) = serde_json::from_str::<Value>(answer) else {
            return Value::String(answer.to_owned());
        };
        for (of, pointer) in &self.ignore {
            if of == tool
                && let Some(place) = value.pointer_mut(pointer)
            {
                *place = Value::Null;
            }
        }
        if let Some(folder) = here {
            texts(&mut value, &|text| put(text, folder, WORK));
        }
        texts(&mut value, &|text| without_ids(&without_times(text)));
        numbers(&mut value);
        value
    }
}

/// Replaces times in a text by `{time}`.
pub(crate) fn without_times(text: &str) -> String {
    TIMES.replace_all(text, "{time}").into_owned()
}

/// Replaces ids in a text by `{id}`.
pub(crate) fn without_ids(text: &str) -> String {
    IDS.replace_all(text, "{id}").into_owned()
}

/// Path of a folder with the escapes of a JSON string.
fn escaped(folder: &str) -> String {
    let quoted = Value::from(folder).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// Replaces the path `old` by `new` in a text, except where a longer name begins with `old`.
fn put(text: &str, old: &str, new: &str) -> String {
    let old = old.trim_end_matches('/');
    if old.is_empty() || !text.contains(old) {
        return text.to_owned();
    }
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(old) {
        let (before, tail) = rest.split_at(at);
        replaced.push_str(before);
        let after = &tail[old.len()..];
        let is_longer_name = after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_'));
        replaced.push_str(if is_longer_name { old } else { new });
        rest = after;
    }
    replaced.push_str(rest);
    replaced
}

fn texts(value: &mut Value, change: &dyn Fn(&str) -> String) {
    match value {
        Value::String(text) => *text = change(text),
        Value::Array(items) => items.iter_mut().for_each(|item| texts(item, change)),
        Value::Object(fields) => fields.values_mut().for_each(|field| texts(field, change)),
        _ => {}
    }
}

/// Replaces numbers that are Unix times in seconds or milliseconds.
fn numbers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            let seconds = number.as_f64().unwrap_or_default();
            if [1.0, 1e3].iter().any(|unit| (1.6e9..2.0e9).contains(&(seconds / unit))) {
                *value = Value::from("{time}");
            }
        }
        Value::Array(items) => items.iter_mut().for_each(numbers),
        Value::Object(fields) => fields.values_mut().for_each(numbers),
        _ => {}
    }
}

#[cfg(test)]
mod tests;
