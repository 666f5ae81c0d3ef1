//! Messages of an attempt with their speaker, their step and, for a tool's answer, its call.

use crate::run_record::AttemptRecord;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Speaker of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The system, whose message comes before the conversation.
    System,
    /// The user.
    User,
    /// The model, or the dataset in its place.
    Assistant,
    /// A tool, which answers a call.
    Tool,
}

impl Speaker {
    /// Speaker of a message in the form of Chat Completions.
    pub fn from_message(message: &Value) -> Self {
        match message.get("role").and_then(Value::as_str) {
            Some("assistant") => Self::Assistant,
            Some("tool") => Self::Tool,
            Some("system") => Self::System,
            _ => Self::User,
        }
    }
}

/// One message of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForkPart {
    /// Speaker of the message.
    pub role: Speaker,
    /// Step of the model that the message belongs to; `None` for messages that were given to the
    /// model.
    pub step: Option<u32>,
    /// Position of the answered call in the record, if the message is a tool's answer to a call of
    /// the model.
    pub call: Option<usize>,
}

/// Messages of a record in order.
///
/// The last assistant messages, one for each step, are the model's own turns. All messages before
/// them were given to the model. A step whose messages were not recorded has no part.
pub fn parts(record: &AttemptRecord) -> Vec<ForkPart> {
    let steps = record.steps.len() as u32;
    let of_assistant = |message: &&Value| Speaker::from_message(message) == Speaker::Assistant;
    let total = record.messages.iter().filter(of_assistant).count() as u32;
    let (given, missing) = (total.saturating_sub(steps), steps.saturating_sub(total));
    let (mut assistants, mut step, mut answered) = (0, None, 0);
    let part = |message: &Value| {
        let role = Speaker::from_message(message);
        match role {
            Speaker::Assistant => {
                assistants += 1;
                step = (assistants > given).then(|| assistants - given + missing);
                answered = 0;
            }
            Speaker::Tool => answered += 1,
            Speaker::User | Speaker::System => step = None,
        }
        let calls = record.calls.iter().enumerate();
        let mut of_step = calls.filter(|(_, call)| Some(call.step) == step);
        ForkPart {
            role,
            step,
            call: (role == Speaker::Tool && step.is_some())
                .then(|| of_step.nth(answered - 1).map(|(place, _)| place))
                .flatten(),
        }
    };
    record.messages.iter().map(part).collect()
}

/// Position of the model's turn of a step among the messages; `None` if the turn was not recorded.
pub fn first_of_step(parts: &[ForkPart], step: u32) -> Option<usize> {
    let turn = |part: &ForkPart| part.role == Speaker::Assistant && part.step == Some(step);
    parts.iter().position(turn)
}
