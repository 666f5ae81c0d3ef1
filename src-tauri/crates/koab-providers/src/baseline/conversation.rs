//! Finds a baseline's place in an attempt from the messages.

use koab_engine::ports::{Message, RequestedCall};
use serde_json::Value;

/// The messages after the user's last one, which belong to the current turn.
fn turn(messages: &[Message]) -> &[Message] {
    let last_user = messages.iter().rposition(|message| matches!(message, Message::User(_)));
    &messages[last_user.map_or(0, |at| at + 1)..]
}

/// Text of the user's last message.
pub(super) fn last_user(messages: &[Message]) -> &str {
    let text = messages.iter().rev().find_map(|message| match message {
        Message::User(text) => Some(text.as_str()),
        _ => None,
    });
    text.unwrap_or_default()
}

/// Number of turns with tool calls that the baseline has played since the user's last message.
/// Seeded turns of the dataset have other call ids and are not counted.
pub(super) fn played(messages: &[Message], prefix: &str) -> usize {
    let own = |message: &&Message| match message {
        Message::Assistant { calls, .. } => calls.iter().any(|call| call.id.starts_with(prefix)),
        _ => false,
    };
    turn(messages).iter().filter(own).count()
}

/// Whether every answer to the baseline's latest calls was an error. False if it made none.
pub(super) fn has_failed(messages: &[Message], prefix: &str) -> bool {
    let mut answers = turn(messages)
        .iter()
        .rev()
        .map_while(|message| match message {
            Message::Tool { call_id, content } if call_id.starts_with(prefix) => Some(content),
            _ => None,
        })
        .peekable();
    answers.peek().is_some() && answers.all(|content| is_error(content))
}

pub(super) fn is_error(content: &str) -> bool {
    serde_json::from_str::<Value>(content)
        .is_ok_and(|answer| answer.get("error").is_some_and(|error| !error.is_null()))
}

/// Every tool answer in the conversation, with the name of the tool if the call is in the
/// conversation.
pub(super) fn answers(messages: &[Message]) -> impl Iterator<Item = (Option<&str>, &str)> {
    messages.iter().filter_map(|message| match message {
        Message::Tool { call_id, content } => {
            let call = calls(messages).find(|call| call.id == *call_id);
            Some((call.map(|call| call.name.as_str()), content.as_str()))
        }
        _ => None,
    })
}

fn calls(messages: &[Message]) -> impl Iterator<Item = &RequestedCall> {
    messages.iter().flat_map(|message| match message {
        Message::Assistant { calls, .. } => calls.as_slice(),
        _ => &[],
    })
}

/// Text of the last assistant message that is not empty, seeded turns included.
pub(super) fn last_assistant(messages: &[Message]) -> Option<&str> {
    messages.iter().rev().find_map(|message| match message {
        Message::Assistant { content, .. } if !content.is_empty() => Some(content.as_str()),
        _ => None,
    })
}
