//! Requests to the recorder, and their results.

use crate::form::{OnRecordingEvent, Recorded};
use koab_core::sentence::Sentence;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Location of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerAt {
    /// A command that starts the server.
    Command(Vec<String>),
    /// A URL at which the server listens, over streamable HTTP.
    Url {
        /// URL of the server.
        url: String,
        /// Name of the environment variable that contains a header, such as `Authorization: Bearer
        /// …`.
        header_env: Option<String>,
    },
}

/// A server to record.
#[derive(Clone)]
pub struct RecordRequest {
    /// Name of the pack.
    pub name: String,
    /// Location of the server.
    pub server: ServerAt,
    /// Names of environment variables that the server gets in addition to PATH, HOME and LANG.
    pub env: Vec<String>,
    /// Whether secrets are masked in answers; otherwise answers with secrets are not recorded.
    pub mask: bool,
    /// Working folder of the server. A replay replaces it by the caller's working folder.
    pub work: Option<PathBuf>,
    /// Places of answers that drift ignores, each as a tool and a JSON pointer.
    pub ignore: Vec<(String, String)>,
    /// Time limit of one answer.
    pub limit: Duration,
    /// Listener of the recording's events.
    pub heard: Option<OnRecordingEvent>,
    /// Whether drift saves the new answers as a version of the pack.
    pub update: bool,
}

/// A server to compare with its recording.
#[derive(Clone)]
pub struct DriftRequest {
    /// Name of the pack.
    pub pack: String,
    /// Location of the newer server.
    pub server: ServerAt,
    /// Names of environment variables that the server gets in addition to PATH, HOME and LANG.
    pub env: Vec<String>,
    /// Working folder of the server.
    pub work: Option<String>,
    /// Time limit of one answer.
    pub limit: Duration,
    /// Whether the new answers become a version of the pack.
    pub update: bool,
}

impl DriftRequest {
    pub(crate) fn into_record(self, name: String, then: &Recorded) -> RecordRequest {
        let rules = &then.server.normalize;
        RecordRequest {
            name,
            server: self.server,
            env: self.env,
            mask: then.calls.iter().any(|call| call.masked),
            work: self.work.or_else(|| rules.work.clone()).map(PathBuf::from),
            ignore: rules.ignore.clone(),
            limit: self.limit,
            heard: None,
            update: self.update,
        }
    }
}

/// Result of a recording.
#[derive(Clone, Debug, Serialize)]
pub struct RecordOutcome {
    /// `name@version` of the pack.
    pub label: String,
    /// The server's `serverInfo`.
    pub server: serde_json::Value,
    /// Number of tools.
    pub tools: u32,
    /// Number of recorded calls.
    pub calls: u32,
    /// Number of sessions of the recorded calls.
    pub sessions: u32,
    /// Number of answers that were not recorded.
    pub left_out: u32,
    /// Number of answers with masked values.
    pub masked: u32,
    /// Number of requests that were forwarded and not recorded, by method.
    pub passed_through: BTreeMap<String, u32>,
    /// Tools whose answers to the same call differed, with the kind of difference: `time`, `ids` or
    /// `counts`.
    pub unsteady: BTreeMap<String, String>,
    /// Remarks for the user.
    pub remarks: Vec<Sentence>,
    /// Reason why the recording ended early.
    pub failed: Option<Sentence>,
}
