//! What the recording of a server answers to calls that an attempt makes again
//! (`docs/design/mcp.md`).
//!
//! Records have of each call the first answer. The later ones stand in the pack's text of calls,
//! which is read once an attempt makes a call again; other packs have no such text, and their
//! answers stay.

use crate::error::{Error, Result};
use crate::import::documents::{self, RECORDING, TOOLS};
use crate::import::records::{Catalog, found_by};
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

/// A call by tool and arguments, compared by value.
type Key = (String, String);

/// The answers of calls that have several, once they were read.
#[derive(Debug, Default)]
pub(crate) struct RecordedTurns(OnceLock<AnswersByTurn<Key, String>>);

/// What is read of a recorded call.
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
    /// The answer to a call that an attempt was answered `made` times before, where its record says
    /// `first`. A record that somebody wrote another answer into is no longer the recording's, and
    /// answers for ever.
    ///
    /// # Errors
    /// When the database cannot be read, or the text of calls is damaged.
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
        let seen = |text: &String| seen(tool, text);
        Ok(match (answers.answer(&key, 0), answers.answer(&key, made)) {
            (Some(recorded), Some(next)) if seen(recorded) == first => seen(next),
            _ => first,
        })
    }
}

/// Reads the answers of calls that have several.
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
        // As of records: what is no answer of a tool takes no turn.
        let answer = line.result.filter(|text| serde_json::from_str::<IgnoredAny>(text).is_ok());
        if let (Ok(arguments), Some(answer)) = (arguments, answer) {
            let args = found_by(&line.tool, &arguments, &catalog);
            answers.add(key(&line.tool, &args), line.session, answer);
        }
    }
    answers.keep_several();
    Ok(answers)
}

fn key(tool: &str, args: &NormalizedArgs) -> Key {
    (tool.to_owned(), canonical_text(args.as_value()))
}

/// A recorded answer as a model sees it.
fn seen(tool: &str, text: &str) -> Value {
    let mut answer = serde_json::from_str(text).unwrap_or_default();
    redact(&mut answer);
    sanitize(tool, &mut answer);
    answer
}
