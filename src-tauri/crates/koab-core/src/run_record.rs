//! What an attempt leaves behind, and how attempts become a level's log.
//!
//! An [`AttemptRecord`] is the whole truth about one attempt; it goes into the journal as it is.
//! [`published`] writes the published log form from it, which holds less. Of a run there are two
//! files of our own: `run.json` is a [`RunManifest`], and `journal.jsonl` has a [`JournalLine`] a
//! line, which a [`Journal`] reads back.

mod agent;
mod attempts;
mod cache_use;
pub mod checksum;
mod format;
mod journal;
mod journal_line;
mod manifest;
pub mod published;
mod spec;
mod stop;
mod summary;
#[cfg(test)]
mod tests;
mod texts;

pub use agent::{AgentFacts, AgentSpec};
pub use attempts::{AttemptEnd, Attempts};
pub use cache_use::CacheUse;
pub use format::RunFormat;
pub use journal::{Journal, OpenSteps, Start};
pub use journal_line::{CallReply, DamagedLine, JournalLine, LinePlace, LineReader, StepLine, StepReply};
pub use manifest::{AtMost, AttemptCounts, AttemptSums, CacheRecord, RunManifest, Spending};
pub use spec::{CacheMode, RunSpec};
pub use stop::StopReason;
pub use summary::{AttemptSummary, AttemptTally, RecordHead};
pub use texts::{RunText, RunTexts};

use crate::event::AnswerSource;
use crate::level::Level;
use crate::sentence::Sentence;
use crate::tool::FaultOwner;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Tokens of an attempt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenUsage {
    /// Prompt tokens, summed over the model calls that reported them.
    pub prompt_tokens: u64,
    /// Completion tokens, likewise.
    pub completion_tokens: u64,
    /// Total tokens, likewise.
    pub total_tokens: u64,
}

impl std::ops::AddAssign for TokenUsage {
    /// Counts are what servers say, and some say anything: a sum stays at the most there is and
    /// does not begin anew, so that a cap is passed and not missed.
    fn add_assign(&mut self, more: Self) {
        self.prompt_tokens = self.prompt_tokens.saturating_add(more.prompt_tokens);
        self.completion_tokens = self.completion_tokens.saturating_add(more.completion_tokens);
        self.total_tokens = self.total_tokens.saturating_add(more.total_tokens);
    }
}

/// One model turn of an attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepRecord {
    /// 1-based step.
    pub step: u32,
    /// 1, or 2 in the phase with fallback tools.
    pub phase: u8,
    /// Seconds to the first token; null when the server did not stream.
    pub ttft_s: Option<f64>,
    /// Seconds until the answer was complete.
    pub latency_s: f64,
    /// Tokens; null when the server reported none.
    pub usage: Option<TokenUsage>,
    /// How the answer ended, in the server's words where it has none of ours.
    pub finish: Option<String>,
    /// What the prompt did not show the model, because its context was full; `None` when it saw
    /// everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOut>,
    /// What a model of this application wrote, where thoughts or calls were taken out of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<String>,
}

/// What a prompt left out of a conversation that did not fit the model's context, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LeftOut {
    /// Tool results in whose place a short note stood.
    pub tool_results: u32,
    /// Earlier exchanges, from one user message up to the next, that were not there at all.
    pub exchanges: u32,
    /// Tokens that the prompt could have.
    pub room: u32,
}

/// [`StepRecord::finish`] of an answer that was cut off at the output limit.
pub const CUT_OFF: &str = "length";
/// [`StepRecord::finish`] of an answer that ended by itself.
pub const STOPPED: &str = "stop";
/// [`StepRecord::finish`] of an answer that ended with calls.
pub const CALLED: &str = "tool_calls";
/// [`StepRecord::finish`] of an answer that a filter withheld.
pub const FILTERED: &str = "content_filter";

/// One tool call of an attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallRecord {
    /// 1-based step in which the model made it.
    pub step: u32,
    /// Tool name as the model wrote it.
    pub tool: String,
    /// Parsed arguments; an empty object when the text could not be read.
    pub arguments: Value,
    /// The argument text, kept only when it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unreadable_arguments: Option<String>,
    /// Whether the call has a result.
    pub success: bool,
    /// What the model was told, when it has none.
    pub error: Option<String>,
    /// Who the error is attributed to.
    pub owner: Option<FaultOwner>,
    /// Where the answer came from.
    pub source: AnswerSource,
    /// The result as the model saw it.
    pub result: Option<Value>,
}

/// Everything one attempt at one task left behind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttemptRecord {
    /// Task id.
    pub task: String,
    /// Its level.
    pub level: Level,
    /// 1-based repetition.
    pub repetition: u32,
    /// The published `success`: the attempt ended with an answer, right or wrong.
    pub success: bool,
    /// Why it ended.
    pub stop: StopReason,
    /// What went wrong, when something did.
    pub error: Option<Sentence>,
    /// Seconds from start to end; waits for a busy server or for the budget are left out.
    pub took_s: f64,
    /// Model turns.
    pub steps: Vec<StepRecord>,
    /// Tool calls in order.
    pub calls: Vec<CallRecord>,
    /// The answer.
    pub final_response: Option<String>,
    /// The conversation in the log's form: `{role, content}` and for tools `tool_call_id`.
    pub messages: Vec<Value>,
    /// What is known beside, where an agent drove the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Box<AgentFacts>>,
}

impl AttemptRecord {
    /// Whether the attempt's last answer was cut off at the output limit, whatever the protocol
    /// makes of it.
    pub fn cut_off(&self) -> bool {
        is_cut_off(&self.steps, self.calls.iter().map(|call| call.step))
    }

    /// Tokens summed over the steps that reported them, and an agent's other calls of its model.
    pub fn usage(&self) -> TokenUsage {
        usage_of(&self.steps, self.agent.as_deref())
    }
}

/// Whether the last of these steps was cut off and none of the calls, by their steps, is its own.
fn is_cut_off(steps: &[StepRecord], mut calls: impl Iterator<Item = u32>) -> bool {
    steps
        .last()
        .is_some_and(|last| last.finish.as_deref() == Some(CUT_OFF) && !calls.any(|step| step == last.step))
}

/// How an answer ended, where its server's word for it is none that is known.
fn unknown_ending(steps: &[StepRecord]) -> Option<&str> {
    let known = [STOPPED, CALLED, CUT_OFF, FILTERED];
    let mut words = steps.iter().filter_map(|step| step.finish.as_deref());
    words.find(|word| !known.contains(word))
}

/// Tokens summed over the steps that reported them, and an agent's other calls of its model.
fn usage_of(steps: &[StepRecord], agent: Option<&AgentFacts>) -> TokenUsage {
    steps.iter().filter_map(|step| step.usage).chain(agent.map(|agent| agent.side_usage)).fold(
        TokenUsage::default(),
        |mut sum, usage| {
            sum += usage;
            sum
        },
    )
}
