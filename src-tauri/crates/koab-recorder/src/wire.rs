//! A recording as the window knows it.

use crate::request::{RecordRequest, ServerAt};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;
use ts_rs::TS;

/// How long one answer may take.
const LIMIT: Duration = Duration::from_secs(60);

/// What the window's form asks for.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RecordingRequest {
    /// Name of the pack.
    pub name: String,
    /// Where the server is.
    pub server: RecordingServer,
    /// Names of variables that it is given beside PATH, HOME and LANG.
    pub env: Vec<String>,
    /// Replace values that must not be kept, and keep the answers.
    pub mask: bool,
    /// The folder that it works in; none where that does not matter.
    pub work: Option<String>,
}

/// Where a server is.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[ts(export)]
pub enum RecordingServer {
    /// It is started, by a line as a terminal reads it.
    Command {
        /// Program and arguments; quotes hold words together.
        line: String,
    },
    /// It listens, over streamable HTTP.
    Url {
        /// Its address.
        url: String,
        /// Name of the variable that holds a header.
        header_env: Option<String>,
    },
}

impl RecordingRequest {
    /// As the recorder takes it.
    ///
    /// # Errors
    /// When the line is no command.
    pub(crate) fn into_request(self) -> Result<RecordRequest, WireError> {
        let given =
            |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let server = match self.server {
            RecordingServer::Command { line } => match shlex::split(&line) {
                Some(words) if !words.is_empty() => ServerAt::Command(words),
                Some(_) => {
                    return Err(WireError::bad_request(say!("there is no command; write the server's")));
                }
                None => {
                    return Err(WireError::bad_request(say!(
                        "the command has a quote that is not closed; close it"
                    )));
                }
            },
            RecordingServer::Url { url, header_env } => {
                ServerAt::Url { url: url.trim().to_owned(), header_env: given(header_env) }
            }
        };
        Ok(RecordRequest {
            name: self.name.trim().to_owned(),
            server,
            env: self.env.into_iter().filter_map(|name| given(Some(name))).collect(),
            mask: self.mask,
            work: given(self.work).map(PathBuf::from),
            ignore: Vec::new(),
            limit: LIMIT,
            heard: None,
            update: false,
        })
    }
}

/// How far a recording is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum RecordingPhase {
    /// The server is started and greeted.
    #[default]
    Starting,
    /// Clients can come.
    Listening,
    /// It is over.
    Over,
}

/// Outcome of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum CallOutcome {
    /// The server answered.
    Answered,
    /// The server said that the call failed; that is kept too.
    Failed,
    /// The answer was not kept.
    LeftOut,
}

/// A call in the list.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RecordedCall {
    /// Which of all that came, from 1.
    pub number: u32,
    /// The session it is part of; none where it was not kept.
    pub session: Option<u32>,
    /// Tool name.
    pub tool: String,
    /// Its arguments as they are kept, cut where they are long; none where there were none or the
    /// call was not kept.
    pub arguments: Option<String>,
    /// Its outcome.
    pub outcome: CallOutcome,
    /// Whether a value was replaced in it.
    pub masked: bool,
    /// How long the answer took.
    #[ts(type = "number | null")]
    pub ms: Option<u64>,
    /// Bytes of the answer.
    #[ts(type = "number | null")]
    pub bytes: Option<u64>,
}

/// What a recording holds once it is over.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RecordingSummary {
    /// `name@version` of the pack.
    pub label: String,
    /// Tools.
    pub tools: u32,
    /// Calls.
    pub calls: u32,
    /// Sessions that they belong to.
    pub sessions: u32,
    /// Why it ended before it was stopped.
    pub failed: Option<Sentence>,
}

/// What the page of a pack says of its recording.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RecordedFacts {
    /// The command or the address that was recorded.
    pub of: String,
    /// When, UTC.
    pub recorded_at: String,
    /// Calls.
    pub calls: u32,
    /// Sessions that they belong to.
    pub sessions: u32,
    /// Tools that do not answer the same twice, each with the rule under which that does not
    /// matter.
    pub unsteady: Vec<Sentence>,
}

/// A recording that goes on, or the last one of this process.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RecordingView {
    /// Name of the pack.
    pub name: String,
    /// How far it is.
    pub phase: RecordingPhase,
    /// Whether it was asked to stop and is not over.
    pub stopping: bool,
    /// What the server calls itself, with its version.
    pub server: Option<String>,
    /// Its tools.
    pub tools: u32,
    /// Where clients find it.
    pub url: Option<String>,
    /// The session that calls belong to now.
    pub session: u32,
    /// Calls that were kept.
    pub calls: u32,
    /// Answers that were not kept.
    pub left_out: u32,
    /// Bytes of the answers that were kept.
    #[ts(type = "number")]
    pub bytes: u64,
    /// The last calls, the newest first.
    pub last: Vec<RecordedCall>,
    /// What is to be known beside it.
    pub remarks: Vec<Sentence>,
    /// What it holds, once it is over.
    pub kept: Option<RecordingSummary>,
    /// Why nothing was recorded.
    pub error: Option<WireError>,
}

#[cfg(test)]
mod tests;
