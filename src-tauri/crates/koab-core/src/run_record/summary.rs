//! An attempt without its conversation: what lists, counts and a run's own memory need of it.

use super::{
    AgentFacts, AttemptEnd, AttemptRecord, CacheUse, JournalLine, LinePlace, StepRecord, StopReason,
    TokenUsage, is_cut_off, unknown_ending, usage_of,
};
use crate::event::AnswerSource;
use crate::level::Level;
use crate::sentence::Sentence;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An attempt that ended, as far as it is kept in memory; 80 bytes, however long its conversation
/// is. Its names are short where it is saved, since there are a hundred thousand of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttemptSummary {
    /// Task id; attempts at one task share it.
    #[serde(rename = "t", with = "text")]
    pub task: Arc<str>,
    /// Its level.
    #[serde(rename = "l")]
    pub level: Level,
    /// 1-based repetition.
    #[serde(rename = "n")]
    pub repetition: u32,
    /// Whether it ended with an answer.
    #[serde(rename = "s")]
    pub success: bool,
    /// Why it ended.
    #[serde(rename = "e")]
    pub stop: StopReason,
    /// Whether its last answer was cut off at the output limit.
    #[serde(rename = "c", default, skip_serializing_if = "is_default")]
    pub cut_off: bool,
    /// Seconds from start to end.
    #[serde(rename = "d")]
    pub took_s: f64,
    /// Model turns.
    #[serde(rename = "m")]
    pub steps: u32,
    /// Model turns whose tokens nobody reported.
    #[serde(rename = "u", default, skip_serializing_if = "is_default")]
    pub silent_steps: u32,
    /// Tool calls.
    #[serde(rename = "k")]
    pub calls: u32,
    /// Prompt and completion tokens of the turns that reported any, where their sum is the total.
    #[serde(rename = "p", default, skip_serializing_if = "is_default")]
    prompt_tokens: u32,
    #[serde(rename = "q", default, skip_serializing_if = "is_default")]
    completion_tokens: u32,
    /// Where its line stands in the journal.
    #[serde(rename = "o")]
    offset: u64,
    #[serde(rename = "b")]
    length: u32,
    /// What few attempts have; `None` where there is nothing of it.
    #[serde(rename = "r", default, skip_serializing_if = "is_default")]
    rare: Option<Box<Rare>>,
}

/// What is not so of most attempts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Rare {
    /// What went wrong.
    error: Option<Sentence>,
    /// Tokens that two numbers do not tell: more than four billion, or another total than their
    /// sum.
    usage: Option<TokenUsage>,
    /// How its calls were answered, where a cached response did not answer all.
    answers: Option<CacheUse>,
    missed: Vec<String>,
    /// How an answer of it ended, in a word of its server that nothing is known of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ending: Option<String>,
    /// Whether a prompt of it left something of the conversation out.
    #[serde(default, skip_serializing_if = "is_default")]
    shortened: bool,
    /// What an agent of somebody else's did beside its steps and calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<Box<AgentFacts>>,
}

impl AttemptSummary {
    /// What went wrong, when something did.
    pub fn error(&self) -> Option<&Sentence> {
        self.rare.as_ref()?.error.as_ref()
    }

    /// Tokens of the turns that reported any.
    pub fn usage(&self) -> TokenUsage {
        let rare = self.rare.as_ref().and_then(|rare| rare.usage);
        rare.unwrap_or_else(|| of_two(self.prompt_tokens, self.completion_tokens))
    }

    /// Where its line stands in the journal.
    pub fn place(&self) -> LinePlace {
        LinePlace { offset: self.offset, length: self.length }
    }

    /// How its calls were answered.
    pub fn answers(&self) -> CacheUse {
        let rare = self.rare.as_ref().and_then(|rare| rare.answers.clone());
        rare.unwrap_or_else(|| CacheUse { hit: self.calls, ..CacheUse::default() })
    }

    /// Tools whose calls had no cached response, once a call.
    pub fn missed(&self) -> &[String] {
        self.rare.as_ref().map_or(&[], |rare| &rare.missed)
    }

    /// How an answer of it ended, in a word of its server that nothing is known of.
    pub fn unknown_ending(&self) -> Option<&str> {
        self.rare.as_ref()?.ending.as_deref()
    }

    /// Whether a prompt of it left something of the conversation out, since the model's context was
    /// full.
    pub fn is_shortened(&self) -> bool {
        self.rare.as_ref().is_some_and(|rare| rare.shortened)
    }

    /// What is known of an agent's attempt beside its steps and calls; `None` where this program
    /// drove the model.
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

/// Tokens whose total is the sum of the two kinds.
fn of_two(prompt: u32, completion: u32) -> TokenUsage {
    let (prompt_tokens, completion_tokens) = (u64::from(prompt), u64::from(completion));
    TokenUsage { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}

/// The part of an attempt's record that a summary is made of. Conversations, which are most of it,
/// are passed over.
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
    /// The line with as much of an attempt as a summary is made of.
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

    fn share(&mut self, task: &Arc<str>) {
        self.task = Arc::clone(task);
    }
}

/// Words for how answers ended that are counted one by one. A server may have a new one for every
/// answer.
const MAX_ENDINGS: usize = 8;
/// Stands for all further ones.
const OTHER_ENDINGS: &str = "…";

/// What attempts come to, summed as they end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttemptTally {
    /// Attempts that ended.
    pub done: usize,
    /// Those that ended for technical reasons.
    pub failed: usize,
    /// Those whose last answer was cut off at the output limit.
    pub cut_off: usize,
    /// Those of which a prompt left something out, since the model's context was full.
    pub shortened: usize,
    /// Model turns without reported tokens.
    pub silent_steps: usize,
    /// How their calls were answered.
    pub answers: CacheUse,
    /// Tool calls.
    pub calls: usize,
    /// Words of servers for how answers ended that nothing is known of, and the attempts of each.
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

    /// What these come to.
    pub fn count_all<'a>(attempts: impl IntoIterator<Item = &'a AttemptSummary>) -> Self {
        let mut tally = Self::default();
        attempts.into_iter().for_each(|attempt| tally.add(attempt));
        tally
    }
}

/// A shared text as any other.
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
