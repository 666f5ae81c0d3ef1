//! Tasks in JSON: a list of objects, an object that contains such a list, or one object per line.

use crate::error::{Error, Result};
use koab_core::finding::{Fault, Problem};
use koab_core::sentence::ToSentence as _;
use koab_core::{say, text_file};
use serde_json::{Map, Value};
use std::path::Path;

/// Rows of a file. An entry that is not an object is added to `problems` and left out.
pub(super) fn rows(path: &Path, file: &str, problems: &mut Vec<Problem>) -> Result<Vec<Map<String, Value>>> {
    let bytes = std::fs::read(path).map_err(|error| Error::io("read", path, &error))?;
    let text = match text_file::decode(bytes) {
        Ok(text) => text,
        Err(why) => {
            problems.push(Fault::Unreadable.rejected(why.to_sentence()).in_file(file));
            return Ok(Vec::new());
        }
    };
    let entries = if file.ends_with(".jsonl") {
        lines(&text, file, problems)
    } else {
        match serde_json::from_str(&text) {
            Ok(Value::Array(rows)) => rows,
            Ok(Value::Object(mut fields)) => match fields.get_mut("tasks").map(Value::take) {
                Some(Value::Array(rows)) => rows,
                _ => {
                    problems.push(Fault::Form.rejected(say!("must be an array of tasks")).in_file(file));
                    Vec::new()
                }
            },
            Ok(_) => {
                problems.push(Fault::Form.rejected(say!("must be an array of tasks")).in_file(file));
                Vec::new()
            }
            // Files with one object per line are often named `.json`.
            Err(_) if text.trim_start().starts_with('{') && text.trim().lines().count() > 1 => {
                lines(&text, file, problems)
            }
            Err(error) => {
                problems.push(Fault::NotJson.rejected(say!("is not JSON: {error}")).in_file(file));
                Vec::new()
            }
        }
    };
    let mut rows = Vec::with_capacity(entries.len());
    for (number, row) in entries.into_iter().enumerate() {
        match row {
            Value::Object(row) => rows.push(row),
            _ => {
                let place = format!("task {}", number + 1);
                problems.push(Fault::Form.rejected(say!("must be an object")).in_task(place).in_file(file));
            }
        }
    }
    Ok(rows)
}

fn lines(text: &str, file: &str, problems: &mut Vec<Problem>) -> Vec<Value> {
    let mut rows = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        match serde_json::from_str(line) {
            Ok(row) => rows.push(row),
            Err(error) => {
                let problem = Fault::NotJson.rejected(say!("is not JSON: {error}"));
                let place = format!("line {}", number + 1);
                problems.push(problem.in_task(place).in_file(file));
            }
        }
    }
    rows
}
