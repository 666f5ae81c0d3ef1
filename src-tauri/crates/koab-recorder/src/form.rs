//! What a recording says, as the texts of its pack hold it. Everything that came from the server
//! stands in them as a text of JSON, so that it stays letter for letter wherever the pack goes.

use crate::normalize::Normalize;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_mcp::RawValue;
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The newest form.
pub(crate) const FORMAT: u32 = 1;

/// `tasks/mcp/server.json`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ServerForm {
    /// The form's version.
    pub format: u32,
    /// The command, arguments that look like keys cut; empty where there was an address.
    pub command: Vec<String>,
    /// The address, without what looks like a key.
    pub url: Option<String>,
    /// Names of the variables that it was given beside PATH, HOME and LANG.
    pub env: Vec<String>,
    /// `serverInfo`.
    pub info: String,
    /// `capabilities`.
    pub capabilities: String,
    /// `instructions`, as a JSON text.
    pub instructions: Option<String>,
    /// The version of the protocol that was spoken.
    pub protocol: String,
    /// Whether that has no handshake.
    pub modern: bool,
    /// Tools in the server's order.
    pub tools: Vec<String>,
    /// SHA-256 of the tools, a line each.
    pub tools_sha256: String,
    /// When it was recorded, UTC.
    pub recorded_at: String,
    /// Methods that were passed through and not kept, and how often.
    pub passed_through: BTreeMap<String, u32>,
    /// How arguments are matched and answers compared.
    pub normalize: Normalize,
    /// Tools that did not answer the same twice: `time`, `ids` or `counts`.
    pub unsteady: BTreeMap<String, String>,
    /// How many calls and sessions there are, so that nobody reads all calls to count them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<[u32; 2]>,
}

impl ServerForm {
    /// Reads the text of a pack.
    ///
    /// # Errors
    /// When it is damaged, or of a later form.
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

/// A line of `tasks/mcp/calls.jsonl`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CallForm {
    /// Which session it was part of; 1, 2, …
    pub session: u32,
    /// Its place in the recording; 1, 2, …
    pub ordinal: u32,
    /// Tool name.
    pub tool: String,
    /// The arguments as they were sent; none where they were absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<String>,
    /// The `result` member; none where there was an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// The `error` member.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// How long the answer took.
    pub ms: u64,
    /// When it came, UTC.
    pub at: String,
    /// Whether something that must not be told was replaced in it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub masked: bool,
}

impl CallForm {
    /// The answer's text, whichever it is.
    pub(crate) fn answer(&self) -> &str {
        self.result.as_deref().or(self.error.as_deref()).unwrap_or("{}")
    }

    /// Its line in the pack.
    pub(crate) fn line(&self) -> String {
        let mut line = serde_json::to_string(self).expect("BUG: a call is JSON");
        line.push('\n');
        line
    }

    /// Whether the server said that the call failed.
    pub(crate) fn is_error(&self) -> bool {
        #[derive(Deserialize)]
        struct ErrorFlag {
            #[serde(rename = "isError", default)]
            is_error: bool,
        }
        self.error.is_some()
            || serde_json::from_str::<ErrorFlag>(self.answer()).is_ok_and(|said| said.is_error)
    }
}

/// What happens while a recording goes on.
#[derive(Clone, Copy, Debug)]
pub enum RecordingEvent<'a> {
    /// A call was kept.
    Kept(&'a CallForm),
    /// The answer to a call of this tool was not kept; why is a remark.
    LeftOut(&'a str),
    /// Something that people are to be told.
    Remark(&'a Sentence),
}

/// Hears what happens.
pub type OnRecordingEvent = Arc<dyn Fn(RecordingEvent<'_>) + Send + Sync>;

/// What a pack keeps of a server.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// What the server says of itself.
    pub server: ServerForm,
    /// Its answers.
    pub calls: Vec<CallForm>,
}

impl Recorded {
    /// Reads the texts of a pack.
    ///
    /// # Errors
    /// When they are damaged, or of a later form.
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

    /// How many calls there are, and how many sessions.
    pub(crate) fn counts(&self) -> [u32; 2] {
        let sessions: BTreeSet<u32> = self.calls.iter().map(|call| call.session).collect();
        [self.calls.len(), sessions.len()].map(|number| u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// The texts of the pack.
    pub(crate) fn texts(&self) -> (String, String) {
        let server = serde_json::to_string_pretty(&self.server).expect("BUG: a recording is JSON");
        let mut calls = String::new();
        for call in &self.calls {
            calls.push_str(&call.line());
        }
        (format!("{server}\n"), calls)
    }
}

/// A text of JSON that was kept.
pub(crate) fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned())
        .unwrap_or_else(|_| RawValue::from_string("null".to_owned()).expect("BUG: null is JSON"))
}

/// The time as records have it: UTC without saying so, six digits of a second.
pub(crate) fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.6f").to_string()
}

#[cfg(test)]
mod tests;
