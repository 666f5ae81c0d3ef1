//! A fork: an attempt up to one of its steps, with something in it changed, from where a model goes
//! on.
//!
//! Pure: from the record of an attempt, a step and edits follows what the model is shown and what
//! counts as done ([`ForkPrefix`]). What a fork leaves on the disk is [`ForkFile`]; it is not a run
//! and never enters a report (`docs/design/forks.md`). Asking the model is the engine's.

mod file;
mod log_entry;
mod parts;
mod prefix;

pub use file::{FORK_FORMAT, FORK_KIND, ForkChange, ForkFile, ForkOf, ForkSetting};
pub use log_entry::from_log;
pub use parts::{ForkPart, Speaker, first_of_step, parts};
pub use prefix::{ForkPrefix, begin};

use serde::{Deserialize, Serialize};

/// Something in the conversation that a fork has otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ForkEdit {
    /// Place among the attempt's messages, 0-based.
    pub at: u32,
    /// What stands there instead.
    pub to: ForkEditTo,
}

/// What stands in the place of what was there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ForkEditTo {
    /// Another text, of a user's, an assistant's or a system's message.
    Text {
        /// The text.
        text: String,
    },
    /// Another tool result.
    Result {
        /// JSON as text, so that every digit arrives.
        json: String,
    },
    /// A failure of the tool, as L5 tasks inject one.
    Error {
        /// Its kind: `timeout`, `complete_unavailable`, `data_not_available`, or a word of one's
        /// own.
        error_type: String,
    },
}

/// Why an attempt cannot be forked so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
pub enum ForkFault {
    /// The attempt has no such step.
    #[error("the attempt has no step {step}; it took {steps}")]
    NoStep {
        /// The step.
        step: u32,
        /// How many there are.
        steps: u32,
    },
    /// What the model was shown before the step cannot be told.
    #[error(
        "the conversation up to step {step} was not kept whole, so nothing can go on from there; choose a later step"
    )]
    NotKept {
        /// The step.
        step: u32,
    },
    /// No message there.
    #[error("the conversation has no message {at}; it has {messages}")]
    NoMessage {
        /// Place, 0-based.
        at: u32,
        /// How many there are.
        messages: u32,
    },
    /// The message comes later than the step.
    #[error("message {at} comes after step {step}; fork at the step it belongs to")]
    Later {
        /// Place, 0-based.
        at: u32,
        /// The step.
        step: u32,
    },
    /// Two edits of one message.
    #[error("message {at} is changed twice; change it once")]
    Twice {
        /// Place, 0-based.
        at: u32,
    },
    /// A result or an error where there is no tool's answer.
    #[error("message {at} is not a tool's answer; give it a text instead of a result or an error")]
    NoResult {
        /// Place, 0-based.
        at: u32,
    },
    /// A text where a tool answers.
    #[error("message {at} is a tool's answer; give it a result or an error instead of a text")]
    NoText {
        /// Place, 0-based.
        at: u32,
    },
    /// A result that is not JSON.
    #[error("the result for message {at} is not JSON: {cause}")]
    NoJson {
        /// Place, 0-based.
        at: u32,
        /// What the parser says.
        cause: String,
    },
    /// An error without a kind.
    #[error("the error for message {at} has no kind; name one, such as timeout")]
    NoKind {
        /// Place, 0-based.
        at: u32,
    },
    /// Nothing would be asked after the changed answer.
    #[error("step {step} is the model's answer and nothing follows it; change what comes before it")]
    Ends {
        /// The step.
        step: u32,
    },
}

#[cfg(test)]
mod tests;
