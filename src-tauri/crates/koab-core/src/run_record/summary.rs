//! Summaries of attempts without their conversations, for lists, for counts, and for use during a
//! run.

use super::{
    AgentFacts, AttemptEnd, AttemptRecord, CacheUse, JournalLine, LinePlace, StepRecord, StopReason,
    TokenUsage, is_cut_off, unknown_ending, usage_of,
};
use crate::event::AnswerSource;
use crate::level::Level;
use crate::sentence::Sentence;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// Summary of an ended attempt. It needs 96 bytes, even for a long conversation.
///
/// Serialized field names are short, since there may be a hundred thousand summaries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttemptSummary {
    /// Task id. Attempts at the same task share it in memory.
    #[serde(rename = "t", with = "text")]
    pub task: Arc<str>,
    /// Level of the task. Attempts of a run share the name of another benchmark's group in memory.
    #[serde(rename = "l")]
    pub level: Level,
    /// 1-based number of the repetition.
    #[serde(rename = "n")]
    pub repetition: u32,
    /// Whether the attempt ended with an answer.
    #[serde(rename = "s")]
    pub success: bool,
    /// Reason for the end of the attempt.
    #[serde(rename = "e")]
    pub stop: StopReason,
    /// Whether the last answer was cut off at the output limit.
    #[serde(rename = "c", default, skip_serializing_if = "is_default")]
    pub cut_off: bool,
    /// Duration of the attempt in seconds.
    #[serde(rename = "d")]
    pub took_s: f64,
    /// Number of model turns.
    #[serde(rename = "m")]
    pub steps: u32,
    /// Number of model turns without reported tokens.
    #[serde(rename = "u", default, skip_serializing_if = "is_default")]
    pub silent_steps: u32,
    /// Number of tool calls.
    #[serde(rename = "k")]
    pub calls: u32,
    /// Prompt tokens of the turns with reported tokens; `rare.usage` replaces them if it is
    /// present.
    #[serde(rename = "p", default, skip_serializing_if = "is_default")]
    prompt_tokens: u32,
    #[serde(rename = "q", default, skip_serializing_if = "is_default")]
    completion_tokens: u32,
    /// Position of the attempt's line in the journal.
    #[serde(rename = "o")]
    offset: u64,
    #[serde(rename = "b")]
    length: u32,
    /// Facts that few attempts have; `None` without such facts.
    #[serde(rename = "r", default, skip_serializing_if = "is_default")]
    rare: Option<Box<Rare>>,
}

/// Facts that most attempts do not have.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Rare {
    /// Description of the failure.
    error: Option<Sentence>,
    /// Tokens that do not fit into the two numeric fields: more than four billion, or a total that
    /// is not the sum of prompt and completion tokens.
    usage: Option<TokenUsage>,
    /// Numbers of calls for each source of their answer, unless cached responses answered all
    /// calls.
    answers: Option<CacheUse>,
    missed: Vec<String>,
    /// A finish reason of one of the attempt's answers that is not one of the known reasons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ending: Option<String>,
    /// Whether a prompt left out a part of the conversation.
    #[serde(default, skip_serializing_if = "is_default")]
    shortened: bool,
    /// Further facts, if an agent drove the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<Box<AgentFacts>>,
}

impl AttemptSummary {
    /// Description of the failure, if there was one.
    pub fn error(&self) -> Option<&Sentence> {
        self.rare.as_ref()?.error.as_ref()
    }

    /// Sum of the tokens of all turns that have reported tokens.
    pub fn usage(&self) -> TokenUsage {
        let rare = self.rare.as_ref().and_then(|rare| rare.usage);
        rare.unwrap_or_else(|| of_two(self.prompt_tokens, self.completion_tokens))
    }

    /// Position of the attempt's line in the journal.
    pub fn place(&self) -> LinePlace {
        LinePlace { offset: self.offset, length: self.length }
    }

    /// Numbers of calls for each source of their answer.
    pub fn answers(&self) -> CacheUse {
        let rare = self.rare.as_ref().and_then(|rare| rare.answers.clone());
        rare.unwrap_or_else(|| CacheUse { hit: self.calls, ..CacheUse::default() })
    }

    /// Tools of the calls without a cached response, one entry per call.
    pub fn missed(&self) -> &[String] {
        self.rare.as_ref().map_or(&[], |rare| &rare.missed)
    }

    /// A finish reason of one of the attempt's answers that is not one of the known reasons.
    pub fn unknown_ending(&self) -> Option<&str> {
        self.rare.as_ref()?.ending.as_deref()
    }

    /// Whether a prompt left out a part of the conversation, since the model's context was full.
    pub fn is_shortened(&self) -> bool {
        self.rare.as_ref().is_some_and(|rare| rare.shortened)
    }

    /// Further facts if an agent drove the model; `None` if this program did.
    pub fn agent(&self) -> Option<&AgentFacts> {
        self.rare.as_ref()?.agent.as_deref()
    }

    /// Prompt plus completion tokens; `None` when no turn reported any.
    pub fn total_tokens(&self) -> Option<u64> {
        (self.silent_steps < self.steps).then_some(self.usage().total_tokens)
    }
}

pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Creates the usage from prompt and completion tokens; the total is their sum.
fn of_two(prompt: u32, completion: u32) -> TokenUsage {
    let (prompt_tokens, completion_tokens) = (u64::from(prompt), u64::from(completion));
    TokenUsage { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}

/// The part of an attempt's record that a summary needs. Conversations are skipped, since they are
/// most of a record.
#[derive(Deserialize)]
pub struct RecordHead {
    task: String,
    level: Level,
    repetition: u32,
    success: bool,
    stop: StopReason,
    error: Option<Sentence>,
    took_s: f64,
    steps: Vec<StepRecord>,
    calls: Vec<CallHead>,
    #[serde(default)]
    agent: Option<Box<AgentFacts>>,
}

#[derive(Deserialize)]
struct CallHead {
    step: u32,
    tool: String,
    source: AnswerSource,
}

impl From<AttemptRecord> for RecordHead {
    fn from(record: AttemptRecord) -> Self {
        let calls = record.calls.into_iter();
        Self {
            task: record.task,
            level: record.level,
            repetition: record.repetition,
            success: record.success,
            stop: record.stop,
            error: record.error,
            took_s: record.took_s,
            steps: record.steps,
            agent: record.agent,
            calls: calls
                .map(|call| CallHead { step: call.step, tool: call.tool, source: call.source })
                .collect(),
        }
    }
}

impl JournalLine {
    /// A journal line with only the part of an attempt that a summary needs.
    pub fn head(self) -> JournalLine<RecordHead> {
        match self {
            Self::Run { format, at_ms, spec } => JournalLine::Run { format, at_ms, spec },
            Self::Shard { plan, index, of, job } => JournalLine::Shard { plan, index, of, job },
            Self::Wait { task, repetition, reason, until_ms, fault } => {
                JournalLine::Wait { task, repetition, reason, until_ms, fault }
            }
            Self::Step(step) => JournalLine::Step(step),
            Self::Attempt { record } => JournalLine::Attempt { record: record.into() },
            Self::Unfinished { task, repetition, stop } => JournalLine::Unfinished { task, repetition, stop },
            Self::Change { at_ms, done, change, under_way } => {
                JournalLine::Change { at_ms, done, change, under_way }
            }
            Self::End { outcome, reason } => JournalLine::End { outcome, reason },
        }
    }
}

impl AttemptEnd for AttemptSummary {
    type Record = RecordHead;

    fn from_record(record: RecordHead, place: LinePlace) -> Self {
        let mut answers = CacheUse::default();
        record.calls.iter().for_each(|call| answers.count(call.source));
        let missed = record.calls.iter().filter(|call| call.source == AnswerSource::Miss);
        let missed: Vec<String> = missed.map(|call| call.tool.clone()).collect();
        let calls = record.calls.len() as u32;
        let usage = usage_of(&record.steps, record.agent.as_deref());
        let (prompt_tokens, completion_tokens) = (usage.prompt_tokens as u32, usage.completion_tokens as u32);
        let rare = Rare {
            error: record.error,
            usage: (of_two(prompt_tokens, completion_tokens) != usage).then_some(usage),
            answers: (answers.hit != calls).then_some(answers),
            missed,
            ending: unknown_ending(&record.steps).map(str::to_owned),
            shortened: record.steps.iter().any(|step| step.left_out.is_some()),
            agent: record.agent,
        };
        Self {
            rare: (rare != Rare::default()).then(|| Box::new(rare)),
            level: record.level,
            repetition: record.repetition,
            success: record.success,
            stop: record.stop,
            cut_off: is_cut_off(&record.steps, record.calls.iter().map(|call| call.step)),
            took_s: record.took_s,
            steps: record.steps.len() as u32,
            silent_steps: record.steps.iter().filter(|step| step.usage.is_none()).count() as u32,
            calls,
            prompt_tokens,
            completion_tokens,
            task: record.task.into(),
            offset: place.offset,
            length: place.length,
        }
    }

    fn key(&self) -> (&str, u32) {
        (&self.task, self.repetition)
    }

    fn stop(&self) -> StopReason {
        self.stop
    }

    fn usage(&self) -> TokenUsage {
        self.usage()
    }

    fn share(&mut self, task: &Arc<str>, levels: &mut HashSet<Level>) {
        self.task = Arc::clone(task);
        match levels.get(&self.level) {
            Some(shared) => self.level = shared.clone(),
            None => {
                levels.insert(self.level.clone());
            }
        }
    }
}

/// Maximum number of different unknown finish reasons that are counted separately. A server may
/// send a new one with every answer.
const MAX_ENDINGS: usize = 8;
/// Name under which all further finish reasons are counted.
const OTHER_ENDINGS: &str = "…";

/// Totals of attempts, updated as attempts end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttemptTally {
    /// Number of ended attempts.
    pub done: usize,
    /// Number of attempts that ended for technical reasons.
    pub failed: usize,
    /// Number of attempts whose last answer was cut off at the output limit.
    pub cut_off: usize,
    /// Number of attempts with a shortened prompt: a part of the conversation did not fit the
    /// model's context.
    pub shortened: usize,
    /// Number of model turns without reported tokens.
    pub silent_steps: usize,
    /// Numbers of calls for each source of their answer.
    pub answers: CacheUse,
    /// Number of tool calls.
    pub calls: usize,
    /// Number of attempts for each unknown finish reason of a server.
    pub unknown_endings: BTreeMap<String, u32>,
}

impl AttemptTally {
    /// Counts one attempt.
    pub fn add(&mut self, attempt: &AttemptSummary) {
        self.done += 1;
        self.failed += usize::from(attempt.stop.is_technical());
        self.cut_off += usize::from(attempt.cut_off);
        self.shortened += usize::from(attempt.is_shortened());
        self.silent_steps += attempt.silent_steps as usize;
        self.calls += attempt.calls as usize;
        self.answers.add(&attempt.answers());
        if let Some(word) = attempt.unknown_ending() {
            let is_known = self.unknown_endings.contains_key(word);
            let is_full = self.unknown_endings.len() >= MAX_ENDINGS;
            let word = if is_full && !is_known { OTHER_ENDINGS } else { word };
            *self.unknown_endings.entry(word.to_owned()).or_default() += 1;
        }
    }

    /// Removes one attempt that was counted, because it is made again.
    pub fn remove(&mut self, attempt: &AttemptSummary) {
        self.done -= 1;
        self.failed -= usize::from(attempt.stop.is_technical());
        self.cut_off -= usize::from(attempt.cut_off);
        self.shortened -= usize::from(attempt.is_shortened());
        self.silent_steps -= attempt.silent_steps as usize;
        self.calls -= attempt.calls as usize;
        self.answers.remove(&attempt.answers());
        if let Some(word) = attempt.unknown_ending() {
            // A word without an entry of its own was counted with the others.
            let word = if self.unknown_endings.contains_key(word) { word } else { OTHER_ENDINGS };
            if let Some(count) = self.unknown_endings.get_mut(word) {
                *count -= 1;
                if *count == 0 {
                    self.unknown_endings.remove(word);
                }
            }
        }
    }

    /// Totals of these attempts.
    pub fn count_all<'a>(attempts: impl IntoIterator<Item = &'a AttemptSummary>) -> Self {
        let mut tally = Self::default();
        attempts.into_iter().for_each(|attempt| tally.add(attempt));
        tally
    }
}

/// Serialization of a shared text like any other text.
mod text {
    use serde::{Deserialize as _, Deserializer, Serializer};
    use std::sync::Arc;

    pub(super) fn serialize<S: Serializer>(text: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(text)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<str>, D::Error> {
        Ok(String::deserialize(deserializer)?.into())
    }
}
