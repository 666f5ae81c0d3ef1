//! Forks, as they cross to the UI (`docs/design/forks.md`).

use super::Estimate;
use super::{Exact, Transcript};
use koab_core::fork::{ForkChange, ForkEdit, ForkEditTo, ForkOf, ForkSetting, Speaker};
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What can be changed in an attempt up to a step.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ForkOffer {
    /// What would be forked.
    pub of: ForkOf,
    /// The step.
    pub step: u32,
    /// Steps of the attempt.
    pub steps: u32,
    /// The messages up to the end of the step.
    pub messages: Vec<ForkMessage>,
    /// The model, which goes on unless another one is named.
    pub model: String,
    /// Address of its server; null for the provider's own, or when it is not known.
    pub base_url: Option<String>,
    /// Sampling temperature.
    pub temperature: f64,
    /// Sampling seed.
    pub seed: Option<u64>,
    /// Kinds of tool failure that tasks inject.
    pub error_types: Vec<String>,
    /// What is not as it was, in one sentence each.
    pub notes: Vec<Sentence>,
}

/// A message that can be changed.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ForkMessage {
    /// Its place, by which an edit names it.
    pub at: u32,
    /// Whose it is.
    pub role: Speaker,
    /// Step that it belongs to; null for what the model was given.
    pub step: Option<u32>,
    /// What it says; of a tool's answer its JSON, indented.
    pub text: String,
    /// Of a tool's answer: the id of the call.
    pub call_id: Option<String>,
    /// Of a tool's answer to one of the model's calls: the tool.
    pub tool: Option<String>,
    /// Likewise: the arguments, as JSON on one line.
    pub arguments: Option<String>,
}

/// A fork to make.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ForkRequest {
    /// The run by its id, or a fork as `fork:ID`.
    pub run: String,
    /// Task id.
    pub task: String,
    /// 1-based repetition; the first unless said otherwise.
    pub repetition: Option<u32>,
    /// 1-based step. It is kept when something of it is changed, else it is asked anew.
    pub step: u32,
    /// What is changed in the conversation.
    pub edits: Vec<ForkEdit>,
    /// A system message before everything, which agents otherwise do not get.
    pub system: Option<String>,
    /// Model that goes on; null for the attempt's own.
    pub model: Option<String>,
    /// Address of its server.
    pub base_url: Option<String>,
    /// Sampling temperature; null for the attempt's own.
    pub temperature: Option<f64>,
    /// Sampling seed; null for the attempt's own.
    pub seed: Option<u64>,
    /// USD that it may cost.
    pub max_cost: Option<f64>,
    /// Tokens that it may take.
    pub max_total_tokens: Option<u64>,
    /// What the user calls it.
    pub name: Option<String>,
}

/// What a fork would do.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ForkPlan {
    /// Model that goes on.
    pub model: String,
    /// Steps that are kept.
    pub kept_steps: u32,
    /// What is changed.
    pub changes: Vec<ForkChangeView>,
    /// What is set otherwise.
    pub settings: Vec<ForkSetting>,
    /// What a whole attempt at a task of the level takes on average, of which this is a part; null
    /// for a baseline, which asks nobody.
    pub estimate: Option<Estimate>,
}

/// A fork that has begun.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ForkStarted {
    /// Its id.
    pub id: String,
    /// The name under which its events are watched and it is cancelled, as a run's.
    pub run: String,
}

/// How a fork stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ForkState {
    /// It goes on in this process.
    Going,
    /// It came to its end.
    Completed,
    /// The user cancelled it.
    Cancelled,
    /// The next call might have passed a cap.
    BudgetSpent,
    /// It could not go on.
    Failed,
    /// Its process ended before it did, or makes it elsewhere.
    BrokenOff,
}

/// A fork in a list.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ForkSummary {
    /// Its id.
    pub id: String,
    /// What the user calls it; empty when nobody named it.
    pub name: String,
    /// When it was made, milliseconds since the Unix epoch.
    pub created_ms: u64,
    /// What it is a fork of.
    pub of: ForkOf,
    /// The step at which it was forked.
    pub step: u32,
    /// What was changed.
    pub changes: Vec<ForkChangeView>,
    /// What is set otherwise.
    pub settings: Vec<ForkSetting>,
    /// Model that went on.
    pub model: String,
    /// Model of the original.
    pub source_model: String,
    /// How it stands.
    pub state: ForkState,
    /// Why it ended early, in one sentence.
    pub reason: Option<Sentence>,
    /// Its answer; null while there is none.
    pub answer: Option<String>,
    /// Model turns after the kept ones; null before it ended.
    pub new_steps: Option<u32>,
    /// USD that it cost; null when that is not known or it cost nothing.
    pub usd: Option<f64>,
    /// Tokens that its going on took; null when none were reported.
    pub tokens: Option<u64>,
}

/// A changed message, for people.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ForkChangeView {
    /// Place among the original's messages; null for a system message that the original does not
    /// have.
    pub at: Option<u32>,
    /// Whose message it is.
    pub role: Speaker,
    /// Step that it belongs to; null for what the model was given.
    pub step: Option<u32>,
    /// The call that a tool's answer belongs to, by its place among the attempt's calls.
    pub call: Option<u32>,
    /// Tool of that call.
    pub tool: Option<String>,
    /// What stood there; null when nothing did.
    #[ts(type = "unknown")]
    pub before: Exact,
    /// What stands there now.
    #[ts(type = "unknown")]
    pub after: Exact,
    /// The change as it was asked for.
    pub to: ForkEditTo,
}

/// A fork beside its original.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ForkView {
    /// The fork.
    pub fork: ForkSummary,
    /// Steps that both have.
    pub kept_steps: u32,
    /// The original. Scored without judges, as the fork is.
    pub original: Transcript,
    /// The fork; null while it goes on, or when it broke off. What it would have scored enters no
    /// report.
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
