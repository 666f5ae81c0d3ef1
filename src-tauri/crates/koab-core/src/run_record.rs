//! Records of runs and attempts, and their conversion to the log of a level.
//!
//! An [`AttemptRecord`] has all data of one attempt, and the journal contains it unchanged.
//! [`published`] converts it to the published log form, which has less data. A run has two files in
//! a format of this product: `run.json` is a [`RunManifest`], and each line of `journal.jsonl` is a
//! [`JournalLine`], which a [`Journal`] reads.

mod agent;
mod attempts;
mod cache_use;
mod change;
mod changed_settings;
pub mod checksum;
mod format;
mod journal;
mod journal_line;
mod manifest;
pub mod published;
mod settings;
mod spec;
mod stop;
mod summary;
#[cfg(test)]
mod tests;
mod texts;

pub use agent::{AgentFacts, AgentSpec};
pub use attempts::{AttemptEnd, Attempts};
pub use cache_use::CacheUse;
pub use change::{AttemptLimits, ChangeRecord, RetriedAttempt, RunChange, left_out};
pub use format::RunFormat;
pub use journal::{EarlierLimits, Journal, OpenSteps, Start};
pub use journal_line::{CallReply, DamagedLine, JournalLine, LinePlace, LineReader, StepLine, StepReply};
pub use manifest::{AtMost, AttemptCounts, AttemptSums, CacheRecord, RunManifest, Spending};
#[cfg(feature = "typescript")]
pub use settings::FORM_NUMBERS;
pub use settings::{RequestedSettings, RunSettings};
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
    /// Completion tokens, summed over the model calls that reported them.
    pub completion_tokens: u64,
    /// Total tokens, summed over the model calls that reported them.
    pub total_tokens: u64,
}

impl std::ops::AddAssign for TokenUsage {
    /// Adds tokens and stops at the largest number. A server may report any count, and a sum that
    /// wraps around would never reach a cap.
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
    /// Phase of the attempt: 1, or 2 with the fallback tools.
    pub phase: u8,
    /// Seconds to the first token; null when the server did not stream.
    pub ttft_s: Option<f64>,
    /// Seconds until the answer was complete.
    pub latency_s: f64,
    /// Tokens; null when the server reported none.
    pub usage: Option<TokenUsage>,
    /// Finish reason of the answer: [`STOPPED`], [`CALLED`], [`CUT_OFF`], [`FILTERED`], or the
    /// server's own word.
    pub finish: Option<String>,
    /// Parts of the conversation that were left out of the prompt, because the context was full;
    /// `None` if nothing was left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOut>,
    /// Text that a model inside the application wrote, if thoughts or calls were extracted from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<String>,
}

/// Counts of the parts of a conversation that were left out of a prompt to fit the model's context.
/// The oldest parts are left out first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LeftOut {
    /// Number of tool results that were replaced by a short note.
    pub tool_results: u32,
    /// Number of earlier exchanges, from one user message to the next, that were left out
    /// completely.
    pub exchanges: u32,
    /// Maximum number of tokens of the prompt.
    pub room: u32,
}

/// [`StepRecord::finish`] of an answer that was cut off at the output limit.
pub const CUT_OFF: &str = "length";
/// [`StepRecord::finish`] of an answer that the model ended itself.
pub const STOPPED: &str = "stop";
/// [`StepRecord::finish`] of an answer that ended with calls.
pub const CALLED: &str = "tool_calls";
/// [`StepRecord::finish`] of an answer that a filter withheld.
pub const FILTERED: &str = "content_filter";

/// One tool call of an attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallRecord {
    /// 1-based step of the model turn that has the call.
    pub step: u32,
    /// Tool name as the model wrote it.
    pub tool: String,
    /// Parsed arguments; an empty object when the text could not be parsed.
    pub arguments: Value,
    /// The argument text, if it could not be parsed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unreadable_arguments: Option<String>,
    /// Whether the call has a result.
    pub success: bool,
    /// Error message that the model received, if the call has no result.
    pub error: Option<String>,
    /// Party that the error is attributed to.
    pub owner: Option<FaultOwner>,
    /// Source of the answer.
    pub source: AnswerSource,
    /// The result as the model received it.
    pub result: Option<Value>,
}

/// Complete record of one attempt at one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttemptRecord {
    /// Task id.
    pub task: String,
    /// Level of the task.
    pub level: Level,
    /// 1-based number of the repetition.
    pub repetition: u32,
    /// Whether the attempt ended with an answer, right or wrong: the published `success`.
    pub success: bool,
    /// Reason for the end of the attempt.
    pub stop: StopReason,
    /// Description of the failure, if there was one.
    pub error: Option<Sentence>,
    /// Duration in seconds, without waits for a busy server or for the budget.
    pub took_s: f64,
    /// Model turns.
    pub steps: Vec<StepRecord>,
    /// Tool calls in order.
    pub calls: Vec<CallRecord>,
    /// The final answer.
    pub final_response: Option<String>,
    /// The conversation in the log's form: `{role, content}` and for tools `tool_call_id`.
    pub messages: Vec<Value>,
    /// Further facts, if an agent drove the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Box<AgentFacts>>,
}

impl AttemptRecord {
    /// Whether the attempt's last answer was cut off at the output limit, even if the protocol
    /// accepts it.
    pub fn cut_off(&self) -> bool {
        is_cut_off(&self.steps, self.calls.iter().map(|call| call.step))
    }

    /// Sum of the tokens of the steps that have reported tokens, and of an agent's other model
    /// calls.
    pub fn usage(&self) -> TokenUsage {
        usage_of(&self.steps, self.agent.as_deref())
    }
}

/// Whether the last step was cut off and made no call.
fn is_cut_off(steps: &[StepRecord], mut calls: impl Iterator<Item = u32>) -> bool {
    steps
        .last()
        .is_some_and(|last| last.finish.as_deref() == Some(CUT_OFF) && !calls.any(|step| step == last.step))
}

/// First finish reason that is not one of the four known reasons.
fn unknown_ending(steps: &[StepRecord]) -> Option<&str> {
    let reasons = [STOPPED, CALLED, CUT_OFF, FILTERED];
    let mut words = steps.iter().filter_map(|step| step.finish.as_deref());
    words.find(|word| !reasons.contains(word))
}

/// Sum of the tokens of the steps that have reported tokens, and of an agent's other model calls.
fn usage_of(steps: &[StepRecord], agent: Option<&AgentFacts>) -> TokenUsage {
    steps.iter().filter_map(|step| step.usage).chain(agent.map(|agent| agent.side_usage)).fold(
        TokenUsage::default(),
        |mut sum, usage| {
            sum += usage;
            sum
        },
    )
}
