//! Answers of a recorded server to calls that an attempt repeats (`docs/design/mcp.md`).
//!
//! A pack's records contain only the first answer to each call. Later answers are in the pack's
//! document of calls, which is read when an attempt first repeats a call. Packs without that
//! document always give the first answer.

use crate::error::{Error, Result};
use crate::import::documents::{self, RECORDING, TOOLS};
use crate::import::records::{Catalog, lookup_args};
use crate::import::redact;
use crate::table::document;
use koab_core::args::NormalizedArgs;
use koab_core::sanitize::sanitize;
use koab_core::say;
use koab_engine::canonical_arguments::canonical_text;
use koab_engine::repeated_calls::AnswersByTurn;
use rusqlite::Connection;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};
use std::sync::OnceLock;

/// A call: its tool, and its arguments as canonical text.
type Key = (String, String);

/// Answers of calls that have several, read on first use.
#[derive(Debug, Default)]
pub(crate) struct RecordedTurns(OnceLock<AnswersByTurn<Key, String>>);

/// Fields of a line in the document of calls.
#[derive(Deserialize)]
struct Line {
    session: u32,
    tool: String,
    #[serde(default)]
    arguments: Option<String>,
    #[serde(default)]
    result: Option<String>,
}

impl RecordedTurns {
    /// Answer to a call that the attempt has already made `made` times. `first` is the answer in
    /// the pack's record.
    ///
    /// A record that was edited differs from the recording, so its answer stays the same for every
    /// repetition.
    ///
    /// # Errors
    /// When the database cannot be read, or the document of calls is damaged.
    pub(crate) fn answer(
        &self,
        (connection, pack): (&Connection, i64),
        (tool, args): (&str, &NormalizedArgs),
        made: usize,
        first: Value,
    ) -> Result<Value> {
        if made == 0 {
            return Ok(first);
        }
        let answers = match self.0.get() {
            Some(answers) => answers,
            None => {
                let read = read(connection, pack)?;
                self.0.get_or_init(|| read)
            }
        };
        let key = key(tool, args);
        let to_model = |text: &String| as_seen_by_model(tool, text);
        Ok(match (answers.answer(&key, 0), answers.answer(&key, made)) {
            (Some(recorded), Some(next)) if to_model(recorded) == first => to_model(next),
            _ => first,
        })
    }
}

/// Reads the answers of all calls that have several.
fn read(connection: &Connection, pack: i64) -> Result<AnswersByTurn<Key, String>> {
    let mut answers = AnswersByTurn::default();
    let [_, path] = RECORDING;
    let Some(text) = document::find(connection, pack, path)? else {
        return Ok(answers);
    };
    let tools = document::find(connection, pack, TOOLS)?.unwrap_or_default();
    let tools = serde_json::from_str(&tools).unwrap_or_default();
    let tools = documents::tools(&tools, TOOLS, &mut Vec::new());
    let catalog = Catalog::new(&tools);
    for (place, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let line: Line = serde_json::from_str(line).map_err(|error| {
            let (line, why) = (place + 1, error.to_string());
            Error::BadFile(say!(
                "{path} of the pack cannot be read at line {line}: {why}; record or import the pack again"
            ))
        })?;
        let arguments = line.arguments.as_deref().unwrap_or("{}");
        let arguments = serde_json::from_str::<Map<String, Value>>(arguments);
        // As in records: a line without a valid answer does not count as a turn.
        let answer = line.result.filter(|text| serde_json::from_str::<IgnoredAny>(text).is_ok());
        if let (Ok(arguments), Some(answer)) = (arguments, answer) {
            let args = lookup_args(&line.tool, &arguments, &catalog);
            answers.add(key(&line.tool, &args), line.session, answer);
        }
    }
    answers.keep_several();
    Ok(answers)
}

fn key(tool: &str, args: &NormalizedArgs) -> Key {
    (tool.to_owned(), canonical_text(args.as_value()))
}

/// A recorded answer in the form that a model sees.
fn as_seen_by_model(tool: &str, text: &str) -> Value {
    let mut answer = serde_json::from_str(text).unwrap_or_default();
    redact(&mut answer);
    sanitize(tool, &mut answer);
    answer
}
