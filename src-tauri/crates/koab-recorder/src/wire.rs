//! Types of recordings that the window sends and receives.

use crate::request::{RecordRequest, ServerAt};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;
use ts_rs::TS;

/// Time limit of one answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

/// Request of the window's form.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RecordingRequest {
    /// Name of the pack.
    pub name: String,
    /// Location of the server.
    pub server: RecordingServer,
    /// Names of environment variables that the server gets in addition to PATH, HOME and LANG.
    pub env: Vec<String>,
    /// Whether secrets are masked in answers; otherwise answers with secrets are not recorded.
    pub mask: bool,
    /// Working folder of the server; none when the recording does not depend on it.
    pub work: Option<String>,
}

/// Location of a server.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[ts(export)]
pub enum RecordingServer {
    /// A command line that starts the server.
    Command {
        /// Program and arguments. Words in quotes belong together.
        line: String,
    },
    /// A URL at which the server listens, over streamable HTTP.
    Url {
        /// URL of the server.
        url: String,
        /// Name of the environment variable that contains a header.
        header_env: Option<String>,
    },
}

impl RecordingRequest {
    /// Converts the form to a request of the recorder.
    ///
    /// # Errors
    /// When the command line cannot be parsed.
    pub(crate) fn into_request(self) -> Result<RecordRequest, WireError> {
        let non_empty =
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
                ServerAt::Url { url: url.trim().to_owned(), header_env: non_empty(header_env) }
            }
        };
        Ok(RecordRequest {
            name: self.name.trim().to_owned(),
            server,
            env: self.env.into_iter().filter_map(|name| non_empty(Some(name))).collect(),
            mask: self.mask,
            work: non_empty(self.work).map(PathBuf::from),
            ignore: Vec::new(),
            limit: ANSWER_TIMEOUT,
            heard: None,
            update: false,
        })
    }
}

/// Progress of a recording session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum RecordingPhase {
    /// The server is being started.
    #[default]
    Starting,
    /// Clients can connect.
    Listening,
    /// The recording has ended.
    Over,
}

/// Outcome of a call that passed through the recorder: recorded as an answer or a failure, or left
/// out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum CallOutcome {
    /// The server answered.
    Answered,
    /// The server reported that the call failed. This answer is recorded too.
    Failed,
    /// The answer was not recorded.
    LeftOut,
}

/// A call in the list.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RecordedCall {
    /// 1-based number of the call among all calls.
    pub number: u32,
    /// Session of the call; none when the answer was not recorded.
    pub session: Option<u32>,
    /// Tool name.
    pub tool: String,
    /// Recorded arguments, shortened if they are long; none when the call had no arguments or its
    /// answer was not recorded.
    pub arguments: Option<String>,
    /// Outcome of the call.
    pub outcome: CallOutcome,
    /// Whether a value in the call was masked.
    pub masked: bool,
    /// Duration until the answer, milliseconds.
    #[ts(type = "number | null")]
    pub ms: Option<u64>,
    /// Size of the answer, bytes.
    #[ts(type = "number | null")]
    pub bytes: Option<u64>,
}

/// Content of a finished recording.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RecordingSummary {
    /// `name@version` of the pack.
    pub label: String,
    /// Number of tools.
    pub tools: u32,
    /// Number of calls.
    pub calls: u32,
    /// Number of sessions of the recorded calls.
    pub sessions: u32,
    /// Reason why the recording ended before it was stopped.
    pub failed: Option<Sentence>,
}

/// Facts about a recording for its pack's page.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RecordedFacts {
    /// Command or URL of the server that was recorded.
    pub of: String,
    /// Time of the recording, UTC.
    pub recorded_at: String,
    /// Number of calls.
    pub calls: u32,
    /// Number of sessions of the recorded calls.
    pub sessions: u32,
    /// Descriptions of tools whose answers to the same call differ, and of how drift and replay
    /// treat them.
    pub unsteady: Vec<Sentence>,
}

/// View of the recording in progress, or of the last recording of this process.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RecordingView {
    /// Name of the pack.
    pub name: String,
    /// Phase of the recording.
    pub phase: RecordingPhase,
    /// Whether the recording is stopping.
    pub stopping: bool,
    /// Name and version of the server, from its own description.
    pub server: Option<String>,
    /// Number of the server's tools.
    pub tools: u32,
    /// URL for clients.
    pub url: Option<String>,
    /// Session of the calls that clients make next.
    pub session: u32,
    /// Number of recorded calls.
    pub calls: u32,
    /// Number of answers that were not recorded.
    pub left_out: u32,
    /// Size of the recorded answers, bytes.
    #[ts(type = "number")]
    pub bytes: u64,
    /// The most recent calls, the newest first.
    pub last: Vec<RecordedCall>,
    /// Remarks for the user.
    pub remarks: Vec<Sentence>,
    /// Content of the recording, once it has ended.
    pub kept: Option<RecordingSummary>,
    /// Reason why nothing was recorded.
    pub error: Option<WireError>,
}

#[cfg(test)]
mod tests;
