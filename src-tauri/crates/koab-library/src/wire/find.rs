//! Answers of the search through transcripts.

use super::TaskStatus;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Attempts that match a query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FindAnswer {
    /// The query in its canonical spelling.
    pub query: String,
    /// Number of attempts that match.
    pub total: u32,
    /// Number of runs with attempts that match.
    pub runs: u32,
    /// Number of attempts that were searched.
    pub searched: u32,
    /// Number of runs that were searched.
    pub searched_runs: u32,
    /// Matching attempts of each model, the most first.
    pub models: Vec<FindCount>,
    /// Matching attempts of each level.
    pub levels: Vec<FindCount>,
    /// Matching attempts that called each tool, the most first.
    pub tools: Vec<FindCount>,
    /// Matching attempts of the requested page; those of the newest run come first.
    pub hits: Vec<FoundAttempt>,
    /// State of the index that was searched.
    pub index: FindIndexState,
}

/// Attempts that match each of several queries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FindMatches {
    /// Matches of each query, in the order of the queries.
    pub queries: Vec<QueryMatches>,
    /// Number of runs whose files are new, changed or removed since they were read into the index.
    pub pending: u32,
}

/// Attempts that match a query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueryMatches {
    /// Fault of the query; null if it was answered.
    pub fault: Option<Sentence>,
    /// The attempts, in no particular order.
    pub attempts: Vec<MatchedAttempt>,
}

/// Identification of an attempt that matches a query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MatchedAttempt {
    /// Id of the run.
    pub run: String,
    /// Task id.
    pub task: String,
    /// 1-based repetition.
    pub repetition: u32,
}

/// State of the index of the search, compared with the runs of the workspace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FindIndexState {
    /// Number of runs whose files are new, changed or removed since they were read into the index.
    pub pending: u32,
    /// Number of runs that are being made. They are read once they are finished.
    pub unfinished: u32,
    /// Runs with parts that could not be read and are not in the index.
    pub unreadable: Vec<FindUnreadable>,
}

/// A run with parts that could not be read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FindUnreadable {
    /// Id of the run.
    pub run: String,
    /// Reasons, one sentence each.
    pub reasons: Vec<Sentence>,
}

/// Number of matching attempts with a common property.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FindCount {
    /// Name of the model, level or tool.
    pub name: String,
    /// Number of attempts.
    pub attempts: u32,
}

/// An attempt that matches a query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FoundAttempt {
    /// Id of the run.
    pub run: String,
    /// Model id.
    pub model: String,
    /// Task id.
    pub task: String,
    /// Name of the level.
    pub level: String,
    /// 1-based repetition.
    pub repetition: u32,
    /// End of the attempt.
    pub status: TaskStatus,
    /// Parts of the texts that match, at most one for each filter of the query. If the query has no
    /// filter of texts, the beginning of the first text.
    pub excerpts: Vec<FoundText>,
}

/// Part of a text of an attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FoundText {
    /// Field of the text.
    pub field: FoundField,
    /// Name of the argument, if the field is one.
    pub argument: Option<String>,
    /// 1-based number of the message or call; 0 if there is only one.
    pub number: u32,
    /// The part. Spaces replace line ends.
    pub text: String,
    /// Whether the text has more before the part.
    pub cut_before: bool,
    /// Whether the text has more after the part.
    pub cut_after: bool,
    /// Places of the searched value, each from its first character to the one after its last,
    /// counted in Unicode characters.
    pub marks: Vec<(u32, u32)>,
}

/// Field of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum FoundField {
    /// Message of the user.
    Ask,
    /// Message of the model before its answer.
    Said,
    /// Final answer.
    Answer,
    /// Argument of a tool call.
    Argument,
    /// Result of a tool call.
    Result,
    /// Error of the attempt or of a tool call.
    Error,
}
