//! Places where an agent's final answer can be, and the reading of the answer.

mod clean;

pub(crate) use clean::{cleaned, excerpt};

use koab_core::say;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Place of an agent's final answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AnswerFrom {
    /// The answer is on standard output, or in the response of a server.
    Stdout(FromStdout),
    /// The answer is in a file.
    File(FromFile),
    /// The answer is on standard output, after a certain line.
    After(FromAfter),
}

/// Place of an answer on standard output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FromStdout {
    /// Format of standard output.
    pub stdout: Format,
    /// JSON Pointer to the text of the answer, for the JSON formats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// Fields that a line of output, or an item of a list, must have to be used.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub r#where: Map<String, Value>,
    /// Choice of the lines that form the answer; the last line when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub take: Option<LineChoice>,
    /// Fields of a line that precedes the answer. Only lines after the last line with these fields
    /// are used.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub after: Map<String, Value>,
}

/// Format of standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// The answer is the whole text.
    All,
    /// The text contains one JSON value. Other lines before it are skipped.
    Json,
    /// The text contains one JSON value per line. Other lines are skipped.
    Jsonl,
}

/// Choice of the lines that form the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineChoice {
    /// The last line is the answer.
    Last,
    /// All lines form the answer, joined in their order.
    Join,
}

/// Place of an answer in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FromFile {
    /// Path of the file that contains the answer.
    pub file: String,
}

/// Place of an answer after a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FromAfter {
    /// The line that precedes the answer.
    pub after: String,
}

impl AnswerFrom {
    pub(crate) fn check(&self) -> Result<(), Sentence> {
        let Self::Stdout(from) = self else { return Ok(()) };
        if from.stdout != Format::All && from.pointer.is_none() {
            return Err(say!("needs `pointer`, the place of the text in the JSON"));
        }
        if from.pointer.as_ref().is_some_and(|pointer| !pointer.is_empty() && !pointer.starts_with('/')) {
            return Err(say!("has a `pointer` that does not begin with /"));
        }
        Ok(())
    }

    /// Extracts the answer from a text. The text is the content of a file, standard output or a
    /// response.
    pub(crate) fn read(&self, text: &str) -> Option<String> {
        let answer = match self {
            Self::File(_) => Some(text.to_owned()),
            Self::After(from) => behind(text, &from.after),
            Self::Stdout(from) => match from.stdout {
                Format::All => Some(text.to_owned()),
                Format::Json => from.in_json(text),
                Format::Jsonl => from.in_lines(text),
            },
        };
        answer.map(|text| cleaned(&text)).filter(|text| !text.is_empty())
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
        let begins = if self.after.is_empty() {
            0
        } else {
            lines.iter().rposition(|line| has(line, &self.after)).map_or(0, |at| at + 1)
        };
        let fits = lines[begins..].iter().filter(|line| has(line, &self.r#where));
        let mut texts = fits.filter_map(|line| self.text(line));
        match self.take.unwrap_or(LineChoice::Last) {
            LineChoice::Last => texts.next_back(),
            LineChoice::Join => Some(texts.collect::<Vec<_>>().concat()),
        }
    }

    fn text(&self, value: &Value) -> Option<String> {
        match value.pointer(self.pointer.as_deref().unwrap_or(""))? {
            Value::String(text) => Some(text.clone()),
            Value::Null => None,
            other => Some(other.to_string()),
        }
    }
}

/// Whether a value has all of these fields. A field name with slashes is a JSON Pointer.
fn has(value: &Value, fields: &Map<String, Value>) -> bool {
    fields.iter().all(|(name, wanted)| {
        let field = if name.starts_with('/') { value.pointer(name) } else { value.get(name) };
        field == Some(wanted)
    })
}

/// JSON value at the end of a text. The value is the whole text, or it starts at the beginning of a
/// line.
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

/// Text after the last line that is equal to `line`, ignoring blanks at both ends.
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
