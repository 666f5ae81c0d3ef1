//! Content of the index, as the caller gives it.

use koab_core::find::TextField;
use koab_core::score::MetricId;

/// Facts about a run that all its attempts share.
#[derive(Clone, Copy, Debug)]
pub struct RunHead<'a> {
    /// Id of the run.
    pub run: &'a str,
    /// State of the run's files. A run with another stamp has changed.
    pub stamp: &'a str,
    /// Model.
    pub model: &'a str,
    /// Pack, `name@version`, if it is known.
    pub pack: Option<&'a str>,
    /// Date of the run, which orders the hits.
    pub date: &'a str,
}

/// One attempt.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttemptDocument {
    /// Task id.
    pub task: String,
    /// Name of the level.
    pub level: String,
    /// Number of the repetition, from 1.
    pub repetition: u32,
    /// Word for the end of the attempt.
    pub status: String,
    /// Number of the model's turns.
    pub steps: u32,
    /// Number of tool calls.
    pub calls: u32,
    /// Tokens of all turns, if they are known.
    pub tokens: Option<u64>,
    /// Duration in seconds, if it is known.
    pub seconds: Option<f64>,
    /// Tools that were called, each once.
    pub tools: Vec<String>,
    /// Scores of the attempt in reports of its run.
    pub scores: Vec<(MetricId, f64)>,
    /// All texts.
    pub texts: Vec<FieldText>,
}

/// A text of an attempt.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FieldText {
    /// Field of the text. An argument has its name.
    pub field: TextField,
    /// Number of the message or call, from 1; 0 where there is only one.
    pub number: u32,
    /// The text.
    pub text: String,
}
