//! Forks, as sent to the UI (`docs/design/forks.md`).

use super::Estimate;
use super::{Exact, Transcript};
use koab_core::fork::{ForkChange, ForkEdit, ForkEditTo, ForkOf, ForkSetting, Speaker};
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The parts of an attempt that a fork at a step can change.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ForkOffer {
    /// The attempt to fork.
    pub of: ForkOf,
    /// The 1-based step to fork at.
    pub step: u32,
    /// Number of steps of the attempt.
    pub steps: u32,
    /// The messages up to the end of the step.
    pub messages: Vec<ForkMessage>,
    /// The attempt's model, which the fork uses unless the request names another.
    pub model: String,
    /// Address of the model's server; null for the provider's own, or when it is unknown.
    pub base_url: Option<String>,
    /// Sampling temperature.
    pub temperature: f64,
    /// Sampling seed.
    pub seed: Option<u64>,
    /// Kinds of tool failure that tasks inject.
    pub error_types: Vec<String>,
    /// Differences between the attempt's conditions and today's, one sentence each.
    pub notes: Vec<Sentence>,
}

/// A message that can be changed.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ForkMessage {
    /// Index of the message; edits refer to it.
    pub at: u32,
    /// Speaker of the message.
    pub role: Speaker,
    /// Step that the message belongs to; null for messages that the model was given.
    pub step: Option<u32>,
    /// Text of the message; for a tool's answer, its JSON, indented.
    pub text: String,
    /// Id of the call, for a tool's answer; else null.
    pub call_id: Option<String>,
    /// Tool name, for a tool's answer to one of the model's calls; else null.
    pub tool: Option<String>,
    /// Arguments of that call as JSON on one line, for a tool's answer to one of the model's calls;
    /// else null.
    pub arguments: Option<String>,
}

/// Request to make a fork.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ForkRequest {
    /// Run id, or the id of a fork as `fork:ID`.
    pub run: String,
    /// Task id.
    pub task: String,
    /// 1-based repetition; null means the first.
    pub repetition: Option<u32>,
    /// 1-based step. The fork keeps the step when an edit changes a part of it; else the model is
    /// asked for it again.
    pub step: u32,
    /// Changes of the conversation.
    pub edits: Vec<ForkEdit>,
    /// System message to put before the conversation; agents get none otherwise.
    pub system: Option<String>,
    /// Model of the new steps; null for the attempt's own.
    pub model: Option<String>,
    /// Address of the model's server.
    pub base_url: Option<String>,
    /// Sampling temperature; null for the attempt's own.
    pub temperature: Option<f64>,
    /// Sampling seed; null for the attempt's own.
    pub seed: Option<u64>,
    /// Cap on the fork's cost, in USD.
    pub max_cost: Option<f64>,
    /// Cap on the fork's tokens.
    pub max_total_tokens: Option<u64>,
    /// The user's name for the fork.
    pub name: Option<String>,
}

/// Plan of a fork before it starts.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ForkPlan {
    /// Model of the new steps.
    pub model: String,
    /// Number of the attempt's steps that the fork keeps.
    pub kept_steps: u32,
    /// Changes of the conversation.
    pub changes: Vec<ForkChangeView>,
    /// Settings that differ from the attempt's.
    pub settings: Vec<ForkSetting>,
    /// Average for a whole attempt at a task of the level; the fork takes a part of that. Null for
    /// a baseline, which makes no API calls.
    pub estimate: Option<Estimate>,
}

/// A fork that has started.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ForkStarted {
    /// Id of the fork.
    pub id: String,
    /// Run id of the fork: its events are followed, and it is cancelled, under this id.
    pub run: String,
}

/// State of a fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ForkState {
    /// This process is making the fork.
    Going,
    /// The fork ended normally.
    Completed,
    /// The user cancelled the fork.
    Cancelled,
    /// The fork ended because the next call might have exceeded a cap.
    BudgetSpent,
    /// The fork ended with an error.
    Failed,
    /// The fork has no end: its process was killed, or another process is making it.
    BrokenOff,
}

/// Forks of a run or of a task.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ForkList {
    /// Forks, the newest first.
    pub forks: Vec<ForkSummary>,
    /// A sentence for each fork of the workspace that cannot be read.
    pub unreadable: Vec<Sentence>,
}

/// A fork in a list.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ForkSummary {
    /// Id of the fork.
    pub id: String,
    /// The user's name for the fork; empty without one.
    pub name: String,
    /// Creation time, milliseconds since the Unix epoch.
    pub created_ms: u64,
    /// The attempt that was forked.
    pub of: ForkOf,
    /// 1-based step at which the attempt was forked.
    pub step: u32,
    /// Changes of the conversation.
    pub changes: Vec<ForkChangeView>,
    /// Settings that differ from the attempt's.
    pub settings: Vec<ForkSetting>,
    /// Model of the new steps.
    pub model: String,
    /// Model of the original.
    pub source_model: String,
    /// State of the fork.
    pub state: ForkState,
    /// Reason for an early end, in one sentence.
    pub reason: Option<Sentence>,
    /// The fork's final answer; null without one.
    pub answer: Option<String>,
    /// Model turns after the kept ones; null before the fork's end.
    pub new_steps: Option<u32>,
    /// Cost in USD; null when it is unknown or nothing was spent.
    pub usd: Option<f64>,
    /// Tokens of the new steps; null when the server reported none.
    pub tokens: Option<u64>,
}

/// A changed message, as shown to users.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ForkChangeView {
    /// Index among the original's messages; null for an added system message.
    pub at: Option<u32>,
    /// Speaker of the message.
    pub role: Speaker,
    /// Step that the message belongs to; null for messages that the model was given.
    pub step: Option<u32>,
    /// Index of the answered call among the attempt's calls, for a tool's answer; else null.
    pub call: Option<u32>,
    /// Tool of that call.
    pub tool: Option<String>,
    /// The content before the change; null where the message is new.
    #[ts(type = "unknown")]
    pub before: Exact,
    /// The content after the change.
    #[ts(type = "unknown")]
    pub after: Exact,
    /// The change as the request states it.
    pub to: ForkEditTo,
}

/// A fork and its original, for comparison.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ForkView {
    /// The fork.
    pub fork: ForkSummary,
    /// Number of steps that the fork took over from the original.
    pub kept_steps: u32,
    /// The original attempt, scored without judges, like the fork.
    pub original: Transcript,
    /// The fork's conversation; null while it is being made and when it was interrupted. Its scores
    /// enter no report.
    pub forked: Option<Transcript>,
}

impl From<ForkChange> for ForkChangeView {
    fn from(change: ForkChange) -> Self {
        Self {
            at: change.at,
            role: change.role,
            step: change.step,
            call: change.call,
            tool: change.tool,
            before: change.before.into(),
            after: change.after.into(),
            to: change.to,
        }
    }
}
