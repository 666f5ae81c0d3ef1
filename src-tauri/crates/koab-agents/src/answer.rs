//! Where an agent's final answer is.

mod clean;

pub(crate) use clean::{cleaned, excerpt};

use koab_core::say;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A place of the answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AnswerFrom {
    /// On standard output, or of a server in what it answers.
    Stdout(FromStdout),
    /// In a file.
    File(FromFile),
    /// On standard output behind a line.
    After(FromAfter),
}

/// On standard output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FromStdout {
    /// As what it is read.
    pub stdout: Format,
    /// Of JSON: where the text is in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// Of lines, or of a list: fields that one must have.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub r#where: Map<String, Value>,
    /// Of lines: which of them count, the last one when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub take: Option<LineChoice>,
    /// Of lines: only those behind the last one with these fields.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub after: Map<String, Value>,
}

/// As what standard output is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// The whole text.
    All,
    /// One JSON value; other lines in front of it are passed over.
    Json,
    /// A JSON value a line; other lines are passed over.
    Jsonl,
}

/// Which lines count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineChoice {
    /// The last one.
    Last,
    /// All of them, one behind the other.
    Join,
}

/// In a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FromFile {
    /// Its path.
    pub file: String,
}

/// Behind a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FromAfter {
    /// The line.
    pub after: String,
}

impl AnswerFrom {
    pub(crate) fn check(&self) -> Result<(), Sentence> {
        let Self::Stdout(from) = self else { return Ok(()) };
        if from.stdout != Format::All && from.pointer.is_none() {
            return Err(say!("needs `pointer`, where the text is in the JSON"));
        }
        if from.pointer.as_ref().is_some_and(|pointer| !pointer.is_empty() && !pointer.starts_with('/')) {
            return Err(say!("has a `pointer` that does not begin with /"));
        }
        Ok(())
    }

    /// Reads it from what was written, which for a file is the file.
    pub(crate) fn read(&self, text: &str) -> Option<String> {
        let found = match self {
            Self::File(_) => Some(text.to_owned()),
            Self::After(from) => behind(text, &from.after),
            Self::Stdout(from) => match from.stdout {
                Format::All => Some(text.to_owned()),
                Format::Json => from.in_json(text),
                Format::Jsonl => from.in_lines(text),
            },
        };
        found.map(|text| cleaned(&text)).filter(|text| !text.is_empty())
    }
}

impl FromStdout {
    fn in_json(&self, text: &str) -> Option<String> {
        let value = last_value(text)?;
        if self.r#where.is_empty() {
            return self.text(&value);
        }
        let fits = value.as_array()?.iter().filter(|item| has(item, &self.r#where));
        fits.filter_map(|item| self.text(item)).next_back()
    }

    fn in_lines(&self, text: &str) -> Option<String> {
        let lines = text.lines().filter_map(|line| serde_json::from_str(line.trim()).ok());
        let lines: Vec<Value> = lines.filter(Value::is_object).collect();
        let begins = match self.after.is_empty() {
            true => 0,
            false => lines.iter().rposition(|line| has(line, &self.after)).map_or(0, |at| at + 1),
        };
        let fits = lines[begins..].iter().filter(|line| has(line, &self.r#where));
        let mut texts = fits.filter_map(|line| self.text(line));
        match self.take.unwrap_or(LineChoice::Last) {
            LineChoice::Last => texts.next_back(),
            LineChoice::Join => Some(texts.collect::<Vec<_>>().concat()),
        }
    }

    fn text(&self, value: &Value) -> Option<String> {
        let found = value.pointer(self.pointer.as_deref().unwrap_or(""))?;
        match found {
            Value::String(text) => Some(text.clone()),
            Value::Null => None,
            other => Some(other.to_string()),
        }
    }
}

/// Whether a value has all of these fields; a name with slashes is a pointer.
fn has(value: &Value, fields: &Map<String, Value>) -> bool {
    fields.iter().all(|(name, wanted)| {
        let found = match name.starts_with('/') {
            true => value.pointer(name),
            false => value.get(name),
        };
        found == Some(wanted)
    })
}

/// The JSON value that a text ends with: the whole of it, or what begins at one of its lines.
fn last_value(text: &str) -> Option<Value> {
    if let Ok(value) = serde_json::from_str(text.trim()) {
        return Some(value);
    }
    let starts =
        text.match_indices(['{', '[']).filter(|(at, _)| *at == 0 || text.as_bytes()[at - 1] == b'\n');
    starts.into_iter().find_map(|(at, _)| {
        let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Value>();
        values.next()?.ok()
    })
}

/// What stands behind the last line that is this one.
fn behind(text: &str, line: &str) -> Option<String> {
    let mut from = None;
    let mut at = 0;
    for piece in text.split_inclusive('\n') {
        at += piece.len();
        if piece.trim() == line.trim() {
            from = Some(at);
        }
    }
    Some(text[from?..].to_owned())
}

#[cfg(test)]
mod tests;
