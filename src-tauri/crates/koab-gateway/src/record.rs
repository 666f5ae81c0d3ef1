//! `model_calls.jsonl`: the calls of one trial, one JSON object per line, written when the call is
//! over.
//!
//! Headers are not recorded, and therefore no tokens. A file whose last line is cut off can still
//! be read.

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

/// Usual name of the file.
pub const FILE_NAME: &str = "model_calls.jsonl";

/// Record of one model call through the gateway, with its time, tokens and outcome.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RecordedCall {
    /// 1-based number of the call, in the order of arrival in its trial.
    pub call: u32,
    /// Name of the trial, as set when its token was created.
    pub trial: String,
    /// Arrival of the call, local time, ISO 8601 with microseconds.
    pub at: String,
    /// Seconds from the call's arrival to its answer, including waits for a free slot and the
    /// budget.
    pub seconds: f64,
    /// Seconds from sending the request to the model's first token; null when the server does not
    /// report it, or nothing was sent.
    pub first_token_seconds: Option<f64>,
    /// SHA-256 of the request, see [`request_hash`](super::request_hash); null when the body was
    /// not JSON.
    pub hash: Option<String>,
    /// Form of the request.
    #[serde(default)]
    pub form: Form,
    /// Whether the answer was streamed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stream: bool,
    /// Body of the request as received; null when it was not JSON.
    pub request: Value,
    /// HTTP status of the answer; null when the caller left or the trial ended before the answer.
    pub status: Option<u16>,
    /// Complete body of the answer, also when it was streamed; null when there was no answer.
    pub response: Value,
    /// Seconds of the `Retry-After` that the caller received.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
    /// Whether the answer allowed the caller's client to retry by itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
    /// Fields of the request that were not forwarded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// Tokens as the server reported them; null when the server reported none or no model answered.
    pub usage: Option<TokenUsage>,
    /// Cost of the tokens in `usage`, USD; null when it is not known.
    pub cost_usd: Option<f64>,
    /// Reason why the tokens or the cost are unknown.
    pub unmeasured: Option<Sentence>,
    /// Reason why no model answered.
    pub error: Option<Sentence>,
    /// Whether the answer is from an earlier record. Its tokens and cost are then those of the
    /// earlier call.
    #[serde(default)]
    pub replayed: bool,
    /// Kind of match with a recorded request; absent when the record contains exactly this request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched: Option<Matched>,
}

/// Kind of match between a request and a recorded request that is not equal to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Matched {
    /// The recorded request answers the same tool calls.
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

/// Writer of a record.
pub(super) struct Record {
    file: File,
    path: PathBuf,
}

impl Record {
    /// Creates a record. An existing file belongs to another trial and stays unchanged. A link is
    /// not followed.
    ///
    /// # Errors
    /// When the file exists, or the disk refuses.
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
                "{} cannot be written: {error}; free some disk space or name another file",
                path.display()
            ))),
        }
    }

    /// Error for a record that cannot be written.
    #[cfg(test)]
    pub(super) fn unwritable(path: &Path) -> Self {
        Self { file: File::open(path).expect("there"), path: path.to_owned() }
    }

    /// Adds a line and passes it to the operating system.
    ///
    /// # Errors
    /// When the line cannot be written.
    pub(super) fn add(&mut self, call: &RecordedCall) -> Result<(), Sentence> {
        let mut line = serde_json::to_string(call).map_err(|error| error.to_string())?;
        line.push('\n');
        self.file
            .write_all(line.as_bytes())
            .map_err(|error| say!("{} cannot be written: {error}", self.path.display()))
    }
}

/// Reads a record, in the order of the calls' numbers. A last line that was cut off is ignored.
///
/// # Errors
/// When the file cannot be read, or a line before the last is not a call.
pub fn read_calls(path: &Path) -> Result<Vec<RecordedCall>, WireError> {
    let bytes = std::fs::read(path).map_err(|error| {
        let message = say!("the recorded model calls {} cannot be read: {error}", path.display());
        WireError::bad_file(message)
    })?;
    // A line is complete when its newline is there.
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
