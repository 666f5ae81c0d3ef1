//! One line of `journal.jsonl`, with its checksum.

use super::checksum;
use super::{
    AttemptRecord, CallRecord, RetriedAttempt, RunChange, RunFormat, RunSpec, StepRecord, StopReason,
};
use crate::event::{CallFault, RunOutcome};
use crate::sentence::Sentence;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;

/// A line of a run's journal. Unknown fields of the line itself are errors; the record or the
/// settings in the line may have unknown fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum JournalLine<R = AttemptRecord> {
    /// A start of the run: its first start, or one that resumed it.
    Run {
        /// Version of the format of the following lines.
        format: RunFormat,
        /// Time of the start, milliseconds since the Unix epoch.
        at_ms: u64,
        /// Settings of this start.
        spec: Box<RunSpec>,
    },
    /// The first line of a file that contains only one shard of the run.
    Shard {
        /// Hash of the run's plan ([`super::RunManifest::plan_hash`]).
        plan: String,
        /// 0-based number of the shard.
        index: u32,
        /// Number of shards.
        of: u32,
        /// Cluster job that writes the file.
        job: Option<String>,
    },
    /// A model call has to wait.
    Wait {
        /// Task id.
        task: String,
        /// 1-based number of the repetition.
        repetition: u32,
        /// Reason for the wait, one sentence.
        reason: Sentence,
        /// End of the wait, milliseconds since the Unix epoch; null when the end depends on other
        /// calls.
        until_ms: Option<u64>,
        /// Failure of the call, if the wait is before a retry.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fault: Option<CallFault>,
    },
    /// A model turn and the calls that it made.
    Step(Box<StepLine>),
    /// An attempt ended.
    Attempt {
        /// Record of the attempt, or the parts of it that the reader needs.
        record: R,
    },
    /// An attempt was interrupted. Another start has to finish it.
    Unfinished {
        /// Task id.
        task: String,
        /// 1-based number of the repetition.
        repetition: u32,
        /// Reason for the interruption.
        stop: StopReason,
    },
    /// The run was changed while it was being made.
    Change {
        /// Time of the change, milliseconds since the Unix epoch.
        at_ms: u64,
        /// Number of attempts that had ended.
        done: u32,
        /// The change, with the earlier value.
        change: RunChange,
        /// Attempts that had begun and not ended, if the change alters the limits of attempts.
        /// They keep the earlier limits.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        under_way: Vec<RetriedAttempt>,
    },
    /// A start of the run has ended.
    End {
        /// Outcome of the start.
        outcome: RunOutcome,
        /// Reason for an early end.
        reason: Option<Sentence>,
    },
}

/// A model turn, written to the journal as soon as it is complete.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepLine {
    /// Task id.
    pub task: String,
    /// 1-based number of the repetition.
    pub repetition: u32,
    /// Record of the turn.
    pub step: StepRecord,
    /// Text of the turn.
    pub content: String,
    /// Tool calls of the turn.
    pub calls: Vec<CallRecord>,
    /// Data that the next request of the attempt repeats and that the records do not have. `None`
    /// in formats before version 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<StepReply>,
}

/// Data of a model's turn that its record does not have and that is needed to continue an
/// interrupted attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepReply {
    /// The calls as the model wrote them, in order.
    pub calls: Vec<CallReply>,
    /// Data that the provider needs back unchanged, such as signatures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opaque: Option<Value>,
}

/// A call as the model wrote it. It includes the answer that the model received, unless this is the
/// call's result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallReply {
    /// Id of the call in the conversation.
    pub id: String,
    /// Arguments of the call as text.
    pub arguments: String,
    /// Answer that the model received for a failed call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Value>,
}

/// Position of a line in its file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinePlace {
    /// Number of bytes before the line.
    pub offset: u64,
    /// Number of bytes of the line, including its line end.
    pub length: u32,
}

/// A line whose content was changed or cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DamagedLine {
    /// 1-based number of the line.
    pub number: usize,
    /// Description of the damage.
    pub why: Sentence,
}

impl JournalLine {
    /// The line as text, with its checksum and line end.
    ///
    /// # Errors
    /// When a value cannot be written as JSON.
    pub fn text(&self) -> serde_json::Result<String> {
        checksum::line_of(self)
    }
}

/// Reads lines in order. The format of each start determines whether its lines must have a
/// checksum.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LineReader {
    lines: usize,
    /// Whether lines without a checksum are damaged.
    sealed: bool,
}

impl LineReader {
    /// Reads the next line as a [`JournalLine`] or as a type with fewer fields; `None` for an empty
    /// line.
    pub fn read<T: DeserializeOwned>(&mut self, text: &[u8]) -> Option<Result<T, DamagedLine>> {
        self.lines += 1;
        let text = text.trim_ascii();
        if text.is_empty() {
            return None;
        }
        let number = self.lines;
        Some(self.parsed(text).map_err(|why| DamagedLine { number, why }))
    }

    /// Reads the next line, with the parts of an attempt's record that `R` has.
    pub fn line<R: DeserializeOwned>(&mut self, text: &[u8]) -> Option<Result<JournalLine<R>, DamagedLine>> {
        self.lines += 1;
        let text = text.trim_ascii();
        if text.is_empty() {
            return None;
        }
        let number = self.lines;
        let result = self.body(text).and_then(|body| {
            let line = quick(&body).map_or_else(|| serde_json::from_slice(&body), Ok);
            line.map_err(|error| error.to_string().into())
        });
        Some(result.map_err(|why| DamagedLine { number, why }))
    }

    fn parsed<T: DeserializeOwned>(&mut self, text: &[u8]) -> Result<T, Sentence> {
        serde_json::from_slice(&self.body(text)?).map_err(|error| error.to_string().into())
    }

    /// Verifies the checksum of a line and returns the line without it.
    fn body<'a>(&mut self, text: &'a [u8]) -> Result<Cow<'a, [u8]>, Sentence> {
        Ok(match checksum::body_of(text)? {
            Some(body) => {
                self.sealed = true;
                body.into()
            }
            None => {
                self.unsealed(text)?;
                text.into()
            }
        })
    }

    /// Checks that a line without a checksum is allowed, as in formats before version 2.
    fn unsealed(&mut self, text: &[u8]) -> Result<(), Sentence> {
        let missing = checksum::missing;
        let outline: Outline =
            serde_json::from_slice(text).map_err(|error| Sentence::from(error.to_string()))?;
        match outline.format {
            Some(format) if format.has_checksums() => Err(missing()),
            // An earlier version may have resumed a run of this version.
            Some(_) => {
                self.sealed = false;
                Ok(())
            }
            None if self.sealed => Err(missing()),
            None => Ok(()),
        }
    }
}

/// Fast path for the two most frequent kinds of line, as this program writes them; `None` for any
/// other line.
///
/// The tag is removed before the line is parsed, since serde otherwise copies every value of a
/// tagged enum.
fn quick<R: DeserializeOwned>(body: &[u8]) -> Option<JournalLine<R>> {
    if let Some(rest) = body.strip_prefix(b"{\"type\":\"attempt\",\"record\":") {
        let record = serde_json::from_slice(rest.strip_suffix(b"}")?).ok()?;
        return Some(JournalLine::Attempt { record });
    }
    let rest = body.strip_prefix(b"{\"type\":\"step\",")?;
    let step = [b"{", rest].concat();
    serde_json::from_slice(&step).ok().map(JournalLine::Step)
}

/// Fields that a line without a checksum may have. A damaged checksum is an unknown field and
/// therefore an error.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "their names are what is looked at")]
struct Outline {
    r#type: IgnoredAny,
    format: Option<RunFormat>,
    at_ms: Option<IgnoredAny>,
    spec: Option<IgnoredAny>,
    task: Option<IgnoredAny>,
    repetition: Option<IgnoredAny>,
    reason: Option<IgnoredAny>,
    until_ms: Option<IgnoredAny>,
    step: Option<IgnoredAny>,
    content: Option<IgnoredAny>,
    calls: Option<IgnoredAny>,
    reply: Option<IgnoredAny>,
    record: Option<IgnoredAny>,
    stop: Option<IgnoredAny>,
    outcome: Option<IgnoredAny>,
    plan: Option<IgnoredAny>,
    index: Option<IgnoredAny>,
    of: Option<IgnoredAny>,
    job: Option<IgnoredAny>,
}
