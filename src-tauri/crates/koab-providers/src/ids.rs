//! Ids of tool calls that are unique in their conversation, whatever the server gave.

use koab_engine::ports::{Message, RequestedCall};

/// Gives every call an id of its own. Ids that are missing, or used before in this conversation, are replaced by ids made
/// of the model turn and the call's place in it.
pub(crate) fn make_unique(calls: &mut [RequestedCall], messages: &[Message], step: u32) {
    for at in 0..calls.len() {
        let (before, rest) = calls.split_at_mut(at);
        let id = &mut rest[0].id;
        let taken = |id: &str| before.iter().any(|call| call.id == id) || is_used(messages, id);
        if id.is_empty() || taken(id) {
            *id = format!("call_{step}_{}", at + 1);
            while taken(id) {
                id.push('x');
            }
        }
    }
}

fn is_used(messages: &[Message], id: &str) -> bool {
    messages.iter().any(|message| match message {
        Message::Assistant { calls, .. } => calls.iter().any(|call| call.id == id),
        Message::Tool { call_id, .. } => call_id == id,
        Message::System(_) | Message::User(_) => false,
    })
}
