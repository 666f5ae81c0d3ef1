//! Reads a baseline's place in an attempt off the messages it is shown.

use koab_engine::ports::{Message, RequestedCall};
use serde_json::Value;

/// The messages after the last one of the user, which is where the turn being answered stands.
fn turn(messages: &[Message]) -> &[Message] {
    let last_user = messages.iter().rposition(|message| matches!(message, Message::User(_)));
    &messages[last_user.map_or(0, |at| at + 1)..]
}

/// The last thing the user said.
pub(super) fn last_user(messages: &[Message]) -> &str {
    let said = messages.iter().rev().find_map(|message| match message {
        Message::User(text) => Some(text.as_str()),
        _ => None,
    });
    said.unwrap_or_default()
}

/// How many turns of tool calls the baseline has played since the user spoke. Seeded turns of the
/// dataset are told apart by their ids.
pub(super) fn played(messages: &[Message], prefix: &str) -> usize {
    let own = |message: &&Message| match message {
        Message::Assistant { calls, .. } => calls.iter().any(|call| call.id.starts_with(prefix)),
        _ => false,
    };
    turn(messages).iter().filter(own).count()
}

/// Whether every answer to the baseline's latest calls was an error. False when it made none.
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

/// Every tool answer in the conversation with the name of its tool, when the call it answers is
/// there.
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

/// The last thing an assistant said, seeded turns included.
pub(super) fn last_assistant(messages: &[Message]) -> Option<&str> {
    messages.iter().rev().find_map(|message| match message {
        Message::Assistant { content, .. } if !content.is_empty() => Some(content.as_str()),
        _ => None,
    })
}
