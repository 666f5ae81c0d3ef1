//! Records in the published layout, and the check that their names can be a path in it.

use crate::cache::parse;
use crate::error::Result;
use crate::table::state::Answer;
use koab_core::say;
use koab_core::sentence::Sentence;
use serde_json::{Map, Value};

/// Record in the published form, with its fields in the published order (`docs/spec/tools.md`
/// §5.2).
pub(super) fn record(answer: &Answer<'_>) -> Result<Value> {
    let read = |text: &str| parse(text.as_bytes(), answer.tool);
    // A record without `input_params` was looked up by the arguments that the model wrote, and must
    // stay so.
    let params = match (answer.input_params, answer.raw_args) {
        (params, "{}") => params,
        ("{}", _) => answer.args,
        (params, _) => params,
    };
    let mut record = Map::new();
    record.insert("key".to_owned(), answer.published_key.into());
    record.insert("tool".to_owned(), answer.tool.into());
    record.insert("created_at".to_owned(), answer.created_at.into());
    record.insert("input_params".to_owned(), read(params)?);
    record.insert("raw_args".to_owned(), read(answer.raw_args)?);
    record.insert("data".to_owned(), read(answer.original.as_ref().unwrap_or(&answer.data))?);
    Ok(Value::Object(record))
}

/// Reason why a record cannot have a path in the published layout, if any. The path consists of
/// tool and key.
pub(super) fn no_place(answer: &Answer<'_>) -> Option<Sentence> {
    let key = answer.published_key;
    let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if key.len() != 64 || !key.bytes().all(hex) {
        return Some(say!("has no key of 64 hexadecimal digits"));
    }
    if !is_folder_name(answer.tool) {
        return Some(say!("is of a tool whose name cannot be the name of a folder"));
    }
    None
}

/// Whether a tool's name is valid as a folder or file name on every system.
pub(super) fn is_folder_name(tool: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ');
    (1..=120).contains(&tool.len())
        && !tool.starts_with(['.', ' '])
        && !tool.ends_with(['.', ' '])
        && tool.chars().all(fits)
}
