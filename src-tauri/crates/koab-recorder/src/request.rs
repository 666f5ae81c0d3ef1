//! What is asked of the recorder, and what becomes of it.

use crate::form::{OnRecordingEvent, Recorded};
use koab_core::sentence::Sentence;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Where a server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerAt {
    /// It is started.
    Command(Vec<String>),
    /// It listens, over streamable HTTP. The variable names a header.
    Url {
        /// Its address.
        url: String,
        /// Name of the variable that holds a header.
        header_env: Option<String>,
    },
}

/// A server to record.
#[derive(Clone)]
pub struct RecordRequest {
    /// Name of the pack.
    pub name: String,
    /// Where the server is.
    pub server: ServerAt,
    /// Names of variables that it is given beside PATH, HOME and LANG.
    pub env: Vec<String>,
    /// Replace values that must not be kept, and keep the answers.
    pub mask: bool,
    /// The folder that it works in, and that others may work in elsewhere.
    pub work: Option<PathBuf>,
    /// Places of answers that drift does not look at.
    pub ignore: Vec<(String, String)>,
    /// How long one answer may take.
    pub limit: Duration,
    /// Who hears what happens.
    pub heard: Option<OnRecordingEvent>,
    /// Whether what is found becomes a version; drift asks that.
    pub update: bool,
}

/// A server to compare with its recording.
#[derive(Clone)]
pub struct DriftRequest {
    /// The pack.
    pub pack: String,
    /// The newer server.
    pub server: ServerAt,
    /// As for a recording.
    pub env: Vec<String>,
    /// The folder that it works in.
    pub work: Option<String>,
    /// How long one answer may take.
    pub limit: Duration,
    /// Make a version of what it says.
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

/// How a recording ended.
#[derive(Clone, Debug, Serialize)]
pub struct RecordOutcome {
    /// `name@version` of the pack.
    pub label: String,
    /// What the server said of itself, `serverInfo`.
    pub server: serde_json::Value,
    /// Tools.
    pub tools: u32,
    /// Calls that were kept.
    pub calls: u32,
    /// Sessions that they belong to.
    pub sessions: u32,
    /// Answers that were not kept.
    pub left_out: u32,
    /// Answers in which a value was replaced.
    pub masked: u32,
    /// Methods that were passed through and not kept, and how often.
    pub passed_through: BTreeMap<String, u32>,
    /// Tools that did not answer the same twice: `time`, `ids` or `counts`.
    pub unsteady: BTreeMap<String, String>,
    /// What is to be known beside it.
    pub remarks: Vec<Sentence>,
    /// Why the recording ended early.
    pub failed: Option<Sentence>,
}
