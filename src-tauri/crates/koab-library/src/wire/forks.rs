//! Forks, as sent to the UI (`docs/design/forks.md`). A fork continues an attempt from one of its
//! steps with changes, such as another tool result or another model.

use super::Estimate;
use super::{Exact, Transcript};
use koab_core::fork::{ForkChange, ForkEdit, ForkEditTo, ForkOf, ForkSetting, Speaker};
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The parts of an attempt that a fork at a given step can change.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ForkOffer {
    /// The attempt to fork.
    pub of: ForkOf,
    /// 1-based step at which the attempt is forked.
    pub step: u32,
    /// Number of steps of the attempt.
    pub steps: u32,
    /// The messages of the conversation up to the end of the step.
    pub messages: Vec<ForkMessage>,
    /// The attempt's model, which the fork uses unless the request names another.
    pub model: String,
    /// Address of the model's server; null for the provider's own server, or if the address is
    /// unknown.
    pub base_url: Option<String>,
    /// Sampling temperature of the attempt.
    pub temperature: f64,
    /// Sampling seed of the attempt; null if it had none.
    pub seed: Option<u64>,
    /// Kinds of tool failure that tasks inject.
    pub error_types: Vec<String>,
    /// Differences between the conditions of the attempt and the conditions today, one sentence
    /// each.
    pub notes: Vec<Sentence>,
}

/// A message that can be changed.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ForkMessage {
    /// Index of the message. Changes refer to the message by it.
    pub at: u32,
    /// Speaker of the message.
    pub role: Speaker,
    /// Step that the message belongs to; null for messages that belong to no step, such as the
    /// user's.
    pub step: Option<u32>,
    /// Text of the message. For a tool's answer, the answer as indented JSON.
    pub text: String,
    /// Id of the call that a tool's answer belongs to; null for other messages.
    pub call_id: Option<String>,
    /// Name of the tool that gave the answer to a call of the model; null for other messages.
    pub tool: Option<String>,
    /// Arguments of the answered call as JSON on one line; null for messages that are not the
    /// answer to a call of the model.
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
    /// 1-based step at which the attempt is forked. If a change concerns the step, the fork keeps
    /// the step. Otherwise the model repeats it.
    pub step: u32,
    /// Changes of the conversation.
    pub edits: Vec<ForkEdit>,
    /// System message that is put before the conversation. Without it, the conversation has no
    /// system message.
    pub system: Option<String>,
    /// Model that makes the new steps; null for the model of the attempt.
    pub model: Option<String>,
    /// Address of the model's server. Null for the address of the attempt if the model is the same,
    /// otherwise for the provider's own server or the model's connection.
    pub base_url: Option<String>,
    /// Sampling temperature; null for the temperature of the attempt.
    pub temperature: Option<f64>,
    /// Sampling seed; null for the seed of the attempt.
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
    /// Model that makes the new steps.
    pub model: String,
    /// Number of the attempt's steps that the fork keeps.
    pub kept_steps: u32,
    /// Changes of the conversation.
    pub changes: Vec<ForkChangeView>,
    /// Settings that differ from the settings of the attempt.
    pub settings: Vec<ForkSetting>,
    /// Average of a whole attempt at a task of the level. The fork needs only a part of this. Null
    /// for a built-in baseline model, which makes no API calls.
    pub estimate: Option<Estimate>,
}

/// A fork that has started.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ForkStarted {
    /// Id of the fork.
    pub id: String,
    /// Run id of the fork. The fork's events are sent under this id, and it can be cancelled by
    /// this id.
    pub run: String,
}

/// State of a fork: under way, ended normally, or ended early for the named reason.
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
    /// The fork has no recorded end, because its process was killed or another process is making
    /// it.
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
    /// The user's name for the fork; empty if it has no name.
    pub name: String,
    /// Creation time, milliseconds since the Unix epoch.
    pub created_ms: u64,
    /// The attempt that was forked.
    pub of: ForkOf,
    /// 1-based step at which the attempt was forked.
    pub step: u32,
    /// Changes of the conversation.
    pub changes: Vec<ForkChangeView>,
    /// Settings that differ from the settings of the attempt.
    pub settings: Vec<ForkSetting>,
    /// Model that makes the new steps.
    pub model: String,
    /// Model of the original attempt.
    pub source_model: String,
    /// State of the fork.
    pub state: ForkState,
    /// Reason for an early end, in one sentence.
    pub reason: Option<Sentence>,
    /// The final answer of the fork; null if it gave none.
    pub answer: Option<String>,
    /// Number of model turns after the steps that the fork kept; null before the end of the fork.
    pub new_steps: Option<u32>,
    /// Cost in USD; null if it is unknown or if nothing was spent.
    pub usd: Option<f64>,
    /// Number of tokens of the new steps; null if the server reported none.
    pub tokens: Option<u64>,
}

/// A changed message, as shown to users.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ForkChangeView {
    /// Index of the message among the original messages; null for an added system message.
    pub at: Option<u32>,
    /// Speaker of the message.
    pub role: Speaker,
    /// Step that the message belongs to; null for messages that belong to no step, such as the
    /// user's.
    pub step: Option<u32>,
    /// For a tool's answer, the index of the answered call among the attempt's calls; null for
    /// other messages.
    pub call: Option<u32>,
    /// Name of the tool of the answered call.
    pub tool: Option<String>,
    /// Content before the change; null if the message is new.
    #[ts(type = "unknown")]
    pub before: Exact,
    /// Content after the change.
    #[ts(type = "unknown")]
    pub after: Exact,
    /// The change in the form of the request.
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
    /// The conversation of the fork; null while the fork is being made, and if it was interrupted.
    /// No report uses the scores of this conversation.
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
