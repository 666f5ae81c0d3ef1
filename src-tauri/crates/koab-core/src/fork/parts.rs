//! The messages of an attempt one by one: whose each is, of which step, and which call a tool's
//! answer belongs to.

use crate::run_record::AttemptRecord;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Who speaks in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The system's.
    System,
    /// The user's.
    User,
    /// The model's, or the dataset's in its place.
    Assistant,
    /// A tool's answer.
    Tool,
}

impl Speaker {
    /// Whose a message is that has the form of Chat Completions.
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
    /// Whose it is.
    pub role: Speaker,
    /// The model's step that it belongs to; `None` for what the model was given.
    pub step: Option<u32>,
    /// Of a tool's answer to one of the model's calls: the call's place in the record.
    pub call: Option<usize>,
}

/// The messages in order. The model's own turns are the last ones, as many as it took steps; what
/// stands before them was given. Steps whose messages were not kept have no part.
pub fn parts(record: &AttemptRecord) -> Vec<ForkPart> {
    let steps = record.steps.len() as u32;
    let of_assistant = |message: &&Value| Speaker::from_message(message) == Speaker::Assistant;
    let said = record.messages.iter().filter(of_assistant).count() as u32;
    let (given, unsaid) = (said.saturating_sub(steps), steps.saturating_sub(said));
    let (mut assistants, mut step, mut answered) = (0, None, 0);
    let part = |message: &Value| {
        let role = Speaker::from_message(message);
        match role {
            Speaker::Assistant => {
                assistants += 1;
                step = (assistants > given).then(|| assistants - given + unsaid);
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

/// Where the model's turn of a step stands among the messages; `None` when it was not kept.
pub fn first_of_step(parts: &[ForkPart], step: u32) -> Option<usize> {
    let turn = |part: &ForkPart| part.role == Speaker::Assistant && part.step == Some(step);
    parts.iter().position(turn)
}
