//! One line of `journal.jsonl`, with its checksum.

use super::checksum;
use super::{AttemptRecord, CallRecord, RunFormat, RunSpec, StepRecord, StopReason};
use crate::event::{CallFault, RunOutcome};
use crate::sentence::Sentence;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;

/// A line of a run's journal. Fields of a line that are not named here are refused; what is inside
/// a record or the settings may have more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum JournalLine<R = AttemptRecord> {
    /// The run starts, or starts again.
    Run {
        /// Form of the lines that follow.
        format: RunFormat,
        /// When, milliseconds since the Unix epoch.
        at_ms: u64,
        /// Its settings now.
        spec: Box<RunSpec>,
    },
    /// The file has a part of the run, and this is its first line.
    Shard {
        /// The plan that it is a part of ([`super::RunManifest::plan_hash`]).
        plan: String,
        /// 0-based.
        index: u32,
        /// Parts in all.
        of: u32,
        /// The job of a cluster that writes it.
        job: Option<String>,
    },
    /// A model call has to wait.
    Wait {
        /// Task id.
        task: String,
        /// 1-based repetition.
        repetition: u32,
        /// Why, in one sentence.
        reason: Sentence,
        /// Until when, milliseconds since the Unix epoch; null when that depends on other calls.
        until_ms: Option<u64>,
        /// What the call failed with, where it is made again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fault: Option<CallFault>,
    },
    /// A model turn and the calls that it made.
    Step(Box<StepLine>),
    /// An attempt ended.
    Attempt {
        /// All of it, or as much as its reader needs.
        record: R,
    },
    /// An attempt was broken off and is made again in another start.
    Unfinished {
        /// Task id.
        task: String,
        /// 1-based repetition.
        repetition: u32,
        /// Why.
        stop: StopReason,
    },
    /// The start ended.
    End {
        /// How.
        outcome: RunOutcome,
        /// Why it ended early.
        reason: Option<Sentence>,
    },
}

/// A model turn as it is written down when it happens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepLine {
    /// Task id.
    pub task: String,
    /// 1-based repetition.
    pub repetition: u32,
    /// The turn.
    pub step: StepRecord,
    /// What the model said.
    pub content: String,
    /// Its calls.
    pub calls: Vec<CallRecord>,
    /// What the next request of the attempt repeats and no record has; nothing in forms before 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<StepReply>,
}

/// What a model's turn has beside its record, so that an attempt can go on behind it as if nothing
/// had been.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepReply {
    /// The calls as the model wrote them, in their order.
    pub calls: Vec<CallReply>,
    /// What its provider wants back unchanged, such as signatures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opaque: Option<Value>,
}

/// A call as the model wrote it, and what it was shown where that is not its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallReply {
    /// Its id in the conversation.
    pub id: String,
    /// Its arguments, as text.
    pub arguments: String,
    /// What the model was shown of a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Value>,
}

/// Where a line stands in its file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinePlace {
    /// Bytes before it.
    pub offset: u64,
    /// Its own bytes, the line end included.
    pub length: u32,
}

/// A line that is not what was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DamagedLine {
    /// 1-based.
    pub number: usize,
    /// What is wrong with it.
    pub why: Sentence,
}

impl JournalLine {
    /// The line as it is written, with its checksum and line end.
    ///
    /// # Errors
    /// When a value in it has no JSON.
    pub fn text(&self) -> serde_json::Result<String> {
        checksum::line_of(self)
    }
}

/// Reads lines in their order: which of them have a checksum depends on the start that they are of.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LineReader {
    lines: usize,
    /// Whether lines without a checksum are damaged.
    sealed: bool,
}

impl LineReader {
    /// Reads the next line, without its end, as all or as a part of a [`JournalLine`]; `None` for
    /// an empty one.
    pub fn read<T: DeserializeOwned>(&mut self, text: &[u8]) -> Option<Result<T, DamagedLine>> {
        self.lines += 1;
        let text = text.trim_ascii();
        if text.is_empty() {
            return None;
        }
        let number = self.lines;
        Some(self.parsed(text).map_err(|why| DamagedLine { number, why }))
    }

    /// Reads the next line with as much of an attempt's record as `R` has.
    pub fn line<R: DeserializeOwned>(&mut self, text: &[u8]) -> Option<Result<JournalLine<R>, DamagedLine>> {
        self.lines += 1;
        let text = text.trim_ascii();
        if text.is_empty() {
            return None;
        }
        let number = self.lines;
        let read = self.body(text).and_then(|body| {
            let line = quick(&body).map_or_else(|| serde_json::from_slice(&body), Ok);
            line.map_err(|error| error.to_string().into())
        });
        Some(read.map_err(|why| DamagedLine { number, why }))
    }

    fn parsed<T: DeserializeOwned>(&mut self, text: &[u8]) -> Result<T, Sentence> {
        serde_json::from_slice(&self.body(text)?).map_err(|error| error.to_string().into())
    }

    /// The line without its checksum, which is right.
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

    /// A line without a checksum, as versions before format 2 write them, and those only.
    fn unsealed(&mut self, text: &[u8]) -> Result<(), Sentence> {
        let missing = checksum::missing;
        let outline: Outline =
            serde_json::from_slice(text).map_err(|error| Sentence::from(error.to_string()))?;
        match outline.format {
            Some(format) if format.has_checksums() => Err(missing()),
            // An earlier version may go on with a run of this one.
            Some(_) => {
                self.sealed = false;
                Ok(())
            }
            None if self.sealed => Err(missing()),
            None => Ok(()),
        }
    }
}

/// The lines that make up a journal, in the spelling in which they are written: what says the kind
/// is cut off, since serde copies every value of a tagged enum before it reads it. Nothing where
/// the line is another or anything is wrong.
fn quick<R: DeserializeOwned>(body: &[u8]) -> Option<JournalLine<R>> {
    if let Some(rest) = body.strip_prefix(b"{\"type\":\"attempt\",\"record\":") {
        let record = serde_json::from_slice(rest.strip_suffix(b"}")?).ok()?;
        return Some(JournalLine::Attempt { record });
    }
    let rest = body.strip_prefix(b"{\"type\":\"step\",")?;
    let step = [b"{", rest].concat();
    serde_json::from_slice(&step).ok().map(JournalLine::Step)
}

/// The fields that a line without a checksum may have: a checksum that was damaged is another one.
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
