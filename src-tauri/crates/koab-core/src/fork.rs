//! A fork: an attempt up to one of its steps, with changes, which a model then continues.
//!
//! This module has no side effects: it computes the beginning that the model continues
//! ([`ForkPrefix`]) from the record of an attempt, a step and edits. A fork is stored as a
//! [`ForkFile`]; it is not a run and never enters a report (`docs/design/forks.md`). The engine
//! makes the model calls.

mod file;
mod log_entry;
mod parts;
mod prefix;

pub use file::{FORK_FORMAT, FORK_KIND, ForkChange, ForkFile, ForkOf, ForkSetting};
pub use log_entry::from_log;
pub use parts::{ForkPart, Speaker, first_of_step, parts};
pub use prefix::{ForkPrefix, begin};

use serde::{Deserialize, Serialize};

/// A change of one message of the conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ForkEdit {
    /// Position among the attempt's messages, 0-based.
    pub at: u32,
    /// New content of the message.
    pub to: ForkEditTo,
}

/// New content of a changed message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ForkEditTo {
    /// Another text, for a message of the user, the assistant or the system.
    Text {
        /// The text.
        text: String,
    },
    /// Another result of the tool call.
    Result {
        /// JSON as text, so that no digit of a number is lost.
        json: String,
    },
    /// A failure of the tool, as L5 tasks inject one.
    Error {
        /// Kind of the failure: `timeout`, `complete_unavailable`, `data_not_available`, or a word
        /// of the user's own.
        error_type: String,
    },
}

/// Reason why an attempt cannot be forked as requested.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
pub enum ForkFault {
    /// The attempt has no such step.
    #[error("the attempt has no step {step}; it took {steps}")]
    NoStep {
        /// The requested step.
        step: u32,
        /// Number of steps of the attempt.
        steps: u32,
    },
    /// The conversation before the step was not recorded completely.
    #[error(
        "the conversation up to step {step} was not recorded completely, so no fork can begin there; choose a later step"
    )]
    NotKept {
        /// The requested step.
        step: u32,
    },
    /// The attempt has no such message.
    #[error("the conversation has no message {at}; it has {messages}")]
    NoMessage {
        /// Position of the message, 0-based.
        at: u32,
        /// Number of messages of the attempt.
        messages: u32,
    },
    /// The message comes later than the step.
    #[error("message {at} comes after step {step}; fork at the step it belongs to")]
    Later {
        /// Position of the message, 0-based.
        at: u32,
        /// The requested step.
        step: u32,
    },
    /// Two edits change the same message.
    #[error("message {at} is changed twice; change it once")]
    Twice {
        /// Position of the message, 0-based.
        at: u32,
    },
    /// The edit sets a result or an error, but the message is not a tool's answer.
    #[error("message {at} is not a tool's answer; give it a text instead of a result or an error")]
    NoResult {
        /// Position of the message, 0-based.
        at: u32,
    },
    /// The edit sets a text, but the message is a tool's answer.
    #[error("message {at} is a tool's answer; give it a result or an error instead of a text")]
    NoText {
        /// Position of the message, 0-based.
        at: u32,
    },
    /// The new result is not JSON.
    #[error("the result for message {at} is not JSON: {cause}")]
    NoJson {
        /// Position of the message, 0-based.
        at: u32,
        /// Message of the JSON parser.
        cause: String,
    },
    /// The new error has no kind.
    #[error("the error for message {at} has no kind; name one, such as timeout")]
    NoKind {
        /// Position of the message, 0-based.
        at: u32,
    },
    /// The changed turn is the final answer, so that no model call would follow.
    #[error("step {step} is the model's answer, so no model call follows it; change an earlier message")]
    Ends {
        /// The requested step.
        step: u32,
    },
}

#[cfg(test)]
mod tests;
