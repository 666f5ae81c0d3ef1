//! Makes ids of tool calls unique in their conversation, since servers send missing or equal ones.

use koab_engine::ports::{Message, RequestedCall};
use std::collections::HashSet;

/// Gives every call a unique id.
///
/// An id that is missing or already used in the conversation is replaced by a new one, which
/// contains the model turn and the call's index.
pub(crate) fn make_unique(calls: &mut [RequestedCall], messages: &[Message], step: u32) {
    let mut used: HashSet<String> = messages.iter().flat_map(ids).map(str::to_owned).collect();
    for (at, call) in calls.iter_mut().enumerate() {
        if call.id.is_empty() || used.contains(&call.id) {
            call.id = format!("call_{step}_{}", at + 1);
            while used.contains(&call.id) {
                call.id.push('x');
            }
        }
        used.insert(call.id.clone());
    }
}

fn ids(message: &Message) -> Vec<&str> {
    match message {
        Message::Assistant { calls, .. } => calls.iter().map(|call| call.id.as_str()).collect(),
        Message::Tool { call_id, .. } => vec![call_id],
        Message::System(_) | Message::User(_) => Vec::new(),
    }
}
