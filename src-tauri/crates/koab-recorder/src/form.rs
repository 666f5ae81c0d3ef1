//! Format of a recording in the texts of its pack. All data of the server is stored as JSON text in
//! strings, so that it stays exactly the same when the pack is copied or exported.

use crate::normalize::Normalize;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_mcp::RawValue;
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Newest version of the format.
pub(crate) const FORMAT: u32 = 1;

/// Content of `tasks/mcp/server.json`: the server and the rules of its recording.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ServerForm {
    /// Version of the format.
    pub format: u32,
    /// Command of the server, without arguments that look like keys; empty for a server at a URL.
    pub command: Vec<String>,
    /// URL of the server, without parts that look like keys.
    pub url: Option<String>,
    /// Names of the environment variables that koab passed to the server besides PATH, HOME and
    /// LANG.
    pub env: Vec<String>,
    /// The server's `serverInfo`, as JSON.
    pub info: String,
    /// The server's `capabilities`, as JSON.
    pub capabilities: String,
    /// The server's `instructions`, as JSON.
    pub instructions: Option<String>,
    /// Version of the protocol that was used.
    pub protocol: String,
    /// Whether the protocol version has no handshake.
    pub modern: bool,
    /// Tools in the server's order, each as JSON.
    pub tools: Vec<String>,
    /// SHA-256 of all tools, joined as one tool per line.
    pub tools_sha256: String,
    /// Time of the recording, UTC.
    pub recorded_at: String,
    /// Number of requests that were forwarded and not recorded, by method.
    pub passed_through: BTreeMap<String, u32>,
    /// Rules for matching arguments and comparing answers.
    pub normalize: Normalize,
    /// Tools whose answers to the same call differed, with the kind of difference: `time`, `ids` or
    /// `counts`.
    pub unsteady: BTreeMap<String, String>,
    /// Number of calls and number of sessions, stored so that readers need not count them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<[u32; 2]>,
}

impl ServerForm {
    /// Reads `server.json` of a pack.
    ///
    /// # Errors
    /// When the text is damaged or has a later format version.
    pub(crate) fn read(pack: &str, text: &str) -> Result<Self, WireError> {
        let server: Self = serde_json::from_str(text).map_err(|error| {
            unreadable(say!("the recording of {pack} cannot be read: {}", error.to_string()))
        })?;
        if server.format > FORMAT {
            return Err(unreadable(say!(
                "the recording of {pack} is of a later version; update Ko-AgentBench Desktop"
            )));
        }
        Ok(server)
    }
}

fn unreadable(why: Sentence) -> WireError {
    WireError::bad_file(why)
}

/// A recorded call: a line of `tasks/mcp/calls.jsonl`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CallForm {
    /// 1-based number of the session.
    pub session: u32,
    /// 1-based number in the recording.
    pub ordinal: u32,
    /// Tool name.
    pub tool: String,
    /// Arguments as they were sent, as JSON; none when they were absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<String>,
    /// `result` of the answer, as JSON; none for an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// `error` of the answer, as JSON; none for a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Duration until the answer, milliseconds.
    pub ms: u64,
    /// Time of the answer, UTC.
    pub at: String,
    /// Whether a secret was masked in the call.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub masked: bool,
}

impl CallForm {
    /// Result or error of the answer, as JSON.
    pub(crate) fn answer(&self) -> &str {
        self.result.as_deref().or(self.error.as_deref()).unwrap_or("{}")
    }

    /// The call as a line of `calls.jsonl`.
    pub(crate) fn line(&self) -> String {
        let mut line = serde_json::to_string(self).expect("BUG: a call is JSON");
        line.push('\n');
        line
    }

    /// Whether the server reported that the call failed.
    pub(crate) fn is_error(&self) -> bool {
        #[derive(Deserialize)]
        struct ErrorFlag {
            #[serde(rename = "isError", default)]
            is_error: bool,
        }
        self.error.is_some()
            || serde_json::from_str::<ErrorFlag>(self.answer()).is_ok_and(|flag| flag.is_error)
    }
}

/// Event of a recording in progress.
#[derive(Clone, Copy, Debug)]
pub enum RecordingEvent<'a> {
    /// A call was recorded.
    Kept(&'a CallForm),
    /// The answer to a call of this tool was not recorded; a remark contains the reason.
    LeftOut(&'a str),
    /// A message for the user.
    Remark(&'a Sentence),
}

/// Listener of a recording's events.
pub type OnRecordingEvent = Arc<dyn Fn(RecordingEvent<'_>) + Send + Sync>;

/// Recording of a server, as its pack contains it.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// Description of the server.
    pub server: ServerForm,
    /// Recorded calls.
    pub calls: Vec<CallForm>,
}

impl Recorded {
    /// Reads `server.json` and `calls.jsonl` of a pack.
    ///
    /// # Errors
    /// When the texts are damaged or have a later format version.
    pub(crate) fn read(pack: &str, (server, calls): &(String, String)) -> Result<Self, WireError> {
        let server = ServerForm::read(pack, server)?;
        let calls = calls.lines().filter(|line| !line.trim().is_empty()).enumerate();
        let calls = calls
            .map(|(place, line)| {
                serde_json::from_str(line).map_err(|error| {
                    let (line, why) = (place + 1, error.to_string());
                    unreadable(say!(
                        "the recording of {pack} cannot be read at line {line} of its calls: {why}"
                    ))
                })
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { server, calls })
    }

    /// Number of calls and number of sessions.
    pub(crate) fn counts(&self) -> [u32; 2] {
        let sessions: BTreeSet<u32> = self.calls.iter().map(|call| call.session).collect();
        [self.calls.len(), sessions.len()].map(|number| u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// Texts of `server.json` and `calls.jsonl`.
    pub(crate) fn texts(&self) -> (String, String) {
        let server = serde_json::to_string_pretty(&self.server).expect("BUG: a recording is JSON");
        let mut calls = String::new();
        for call in &self.calls {
            calls.push_str(&call.line());
        }
        (format!("{server}\n"), calls)
    }
}

/// Recorded JSON text as a raw JSON value.
pub(crate) fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned())
        .unwrap_or_else(|_| RawValue::from_string("null".to_owned()).expect("BUG: null is JSON"))
}

/// Current time in the format of recordings: UTC without a suffix, with microseconds.
pub(crate) fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.6f").to_string()
}

#[cfg(test)]
mod tests;
