//! `model_calls.jsonl`: the calls of one trial, one JSON object a line, each written when its call
//! is over.
//!
//! No header of a request is recorded, so no token is. The last line may be cut off and the rest
//! still opens.

use super::form::Form;
use super::request::BOOK_KEEPING;
use koab_core::run_record::TokenUsage;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The file's usual name.
pub const FILE_NAME: &str = "model_calls.jsonl";

/// One call as it is recorded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RecordedCall {
    /// 1-based number in the order in which the calls of the trial came.
    pub call: u32,
    /// The trial, as whoever made its token named it.
    pub trial: String,
    /// When it came, local time, ISO 8601 with microseconds.
    pub at: String,
    /// From its coming to its answer, waits for a place and the budget included.
    pub seconds: f64,
    /// From the request's sending to the model's first token; null when the server does not say, or
    /// nothing was sent.
    pub first_token_seconds: Option<f64>,
    /// SHA-256 of the request, see [`request_hash`](super::request_hash); null when the body was no
    /// JSON.
    pub hash: Option<String>,
    /// The form in which it came.
    #[serde(default)]
    pub form: Form,
    /// Whether its answer was told in pieces.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stream: bool,
    /// The body as it came; null when it was no JSON.
    pub request: Value,
    /// HTTP status of the answer; null when the caller left or the trial ended before there was
    /// one.
    pub status: Option<u16>,
    /// The answer's body, whole, also where it was told as events; null when there was none.
    pub response: Value,
    /// Seconds after which the caller was asked to come back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
    /// Whether the caller's client was told that it may ask again by itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
    /// Fields of the request that were not sent on, since they do not change the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// Tokens as the server reported them; null when it did not, or nothing was answered.
    pub usage: Option<TokenUsage>,
    /// USD for those tokens; null when that cannot be said.
    pub cost_usd: Option<f64>,
    /// Why there are no tokens or no cost.
    pub unmeasured: Option<Sentence>,
    /// Why there is no answer of a model.
    pub error: Option<Sentence>,
    /// Whether the answer is from an earlier record; its tokens and cost are those of that time.
    #[serde(default)]
    pub replayed: bool,
    /// How that answer was found, where the request itself is not in the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched: Option<Matched>,
}

/// How an answer was found in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Matched {
    /// As the next one to whoever has the answers to the same calls.
    Loosely,
}

/// A request without the fields that do not change the answer.
pub(super) fn relevant(mut request: Value) -> Value {
    if let Some(object) = request.as_object_mut() {
        for field in BOOK_KEEPING {
            object.shift_remove(field);
        }
    }
    request
}

/// A record in the making.
pub(super) struct Record {
    file: File,
    path: PathBuf,
}

impl Record {
    /// Begins a record. One that is there already is another trial's and stays as it is; a link is
    /// not followed.
    ///
    /// # Errors
    /// When there is such a file, or the disk refuses.
    pub(super) fn begin(path: &Path) -> Result<Self, WireError> {
        match File::create_new(path) {
            Ok(file) => Ok(Self { file, path: path.to_owned() }),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                Err(WireError::bad_request(say!(
                    "{} holds the model calls of an earlier trial; move it away or name another file",
                    path.display()
                )))
            }
            Err(error) => Err(WireError::storage(say!(
                "{} cannot be written: {error}; free the disk or name another file",
                path.display()
            ))),
        }
    }

    /// A record that the disk refuses.
    #[cfg(test)]
    pub(super) fn unwritable(path: &Path) -> Self {
        Self { file: File::open(path).expect("there"), path: path.to_owned() }
    }

    /// Adds a line. It is the system's when this returns.
    ///
    /// # Errors
    /// One sentence when the disk refuses.
    pub(super) fn add(&mut self, call: &RecordedCall) -> Result<(), Sentence> {
        let mut line = serde_json::to_string(call).map_err(|error| error.to_string())?;
        line.push('\n');
        self.file
            .write_all(line.as_bytes())
            .map_err(|error| say!("{} cannot be written: {error}", self.path.display()))
    }
}

/// Reads a record, in the order of the calls' numbers. A last line that was cut off is left out.
///
/// # Errors
/// When the file cannot be read, or a line before the last is none.
pub fn read_calls(path: &Path) -> Result<Vec<RecordedCall>, WireError> {
    let bytes = std::fs::read(path).map_err(|error| {
        let message = say!("the recorded model calls {} cannot be read: {error}", path.display());
        WireError::bad_file(message)
    })?;
    // A line is whole when its end is there.
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let mut calls = Vec::new();
    for (at, line) in bytes[..whole].split(|byte| *byte == b'\n').enumerate() {
        if line.is_empty() {
            continue;
        }
        let call: RecordedCall = serde_json::from_slice(line).map_err(|error| {
            let message = format!(
                "{}: line {} is no recorded model call ({error}); the file was changed or is of another version",
                path.display(),
                at + 1
            );
            WireError::bad_file(message)
        })?;
        calls.push(call);
    }
    calls.sort_by_key(|call| call.call);
    Ok(calls)
}
