//! What models want back with their turns, as far as a trial may still bring them.

use koab_engine::ports::{Message, ModelReply, Opaque, RequestedCall};
use serde_json::Value;
use std::collections::{HashMap, VecDeque};

/// Turns at most. A conversation has far fewer; a trial that makes thousands of calls has many
/// conversations, the first of which are over.
const TURNS: usize = 1024;
/// Bytes of them at most.
const BYTES: usize = 8 << 20;

/// Turns with calls as the model wrote them, with what it wants back, by the first call's id. The
/// oldest goes first.
#[derive(Default)]
pub(super) struct TurnCache {
    turns: HashMap<String, Turn>,
    order: VecDeque<String>,
    bytes: usize,
}

struct Turn {
    calls: Vec<RequestedCall>,
    opaque: Option<Opaque>,
    bytes: usize,
}

impl TurnCache {
    /// Keeps the calls of this reply. One that is larger than all that may be kept is not.
    pub(super) fn add(&mut self, reply: &ModelReply) {
        let Some(first) = reply.calls.first() else {
            return;
        };
        let texts = |call: &RequestedCall| call.id.len() + call.name.len() + call.arguments.len();
        let turn = Turn {
            calls: reply.calls.clone(),
            opaque: reply.opaque.clone(),
            bytes: reply.calls.iter().map(texts).sum::<usize>()
                + reply.opaque.as_ref().map_or(0, |opaque| opaque.to_string().len()),
        };
        if turn.bytes > BYTES {
            return;
        }
        self.bytes += turn.bytes;
        if let Some(before) = self.turns.insert(first.id.clone(), turn) {
            self.bytes -= before.bytes;
            self.order.retain(|id| *id != first.id);
        }
        self.order.push_back(first.id.clone());
        while self.order.len() > TURNS || self.bytes > BYTES {
            let Some(oldest) = self.order.pop_front() else {
                return;
            };
            self.bytes -= self.turns.remove(&oldest).map_or(0, |turn| turn.bytes);
        }
    }

    /// Gives the model's turns back what it wants with them, where their calls are those that the
    /// model made. Forms that have arguments as objects lose how the model spelled them, which
    /// comes back here, too.
    pub(super) fn give_back(&self, messages: &mut [Message]) {
        for message in messages {
            let Message::Assistant { calls, opaque, .. } = message else {
                continue;
            };
            let kept = calls.first().and_then(|first| self.turns.get(&first.id));
            let Some(turn) = kept.filter(|turn| same(&turn.calls, calls)) else {
                continue;
            };
            opaque.clone_from(&turn.opaque);
            calls.clone_from(&turn.calls);
        }
    }
}

/// Whether these are the same calls, with the same arguments in whatever spelling.
fn same(made: &[RequestedCall], calls: &[RequestedCall]) -> bool {
    let value = |text: &str| serde_json::from_str::<Value>(text).ok();
    let alike = |(a, b): (&RequestedCall, &RequestedCall)| {
        let named = a.id == b.id && a.name == b.name;
        named
            && (a.arguments == b.arguments
                || value(&a.arguments).is_some_and(|a| Some(a) == value(&b.arguments)))
    };
    made.len() == calls.len() && made.iter().zip(calls).all(alike)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gateway::forms::nothing;
    use std::sync::Arc;

    fn reply(at: usize, bytes: usize) -> ModelReply {
        ModelReply {
            calls: vec![RequestedCall {
                id: format!("call_{at}"),
                name: "search".to_owned(),
                arguments: "x".repeat(bytes),
            }],
            opaque: Some(Arc::new(Value::from(at))),
            ..nothing()
        }
    }

    fn is_kept(kept: &TurnCache, at: usize, bytes: usize) -> bool {
        let mut turn =
            [Message::Assistant { content: String::new(), calls: reply(at, bytes).calls, opaque: None }];
        kept.give_back(&mut turn);
        matches!(&turn[0], Message::Assistant { opaque: Some(_), .. })
    }

    #[test]
    fn the_oldest_turns_go_where_there_are_too_many_or_too_large_ones() {
        let mut kept = TurnCache::default();
        for at in 0..TURNS + 10 {
            kept.add(&reply(at, 1));
        }
        assert_eq!((kept.order.len(), kept.turns.len()), (TURNS, TURNS));
        assert!(!is_kept(&kept, 9, 1) && is_kept(&kept, 10, 1) && is_kept(&kept, TURNS + 9, 1));
        for at in 0..20 {
            kept.add(&reply(at, 1 << 20));
            assert!(kept.bytes <= BYTES, "{}", kept.bytes);
        }
        assert!(kept.turns.len() < 8 && !is_kept(&kept, 0, 1 << 20) && is_kept(&kept, 19, 1 << 20));
        kept.add(&reply(99, BYTES + 1));
        assert!(is_kept(&kept, 19, 1 << 20), "what is too large drives nothing out");
        // The same call again takes the place of the earlier.
        let before = kept.bytes;
        kept.add(&reply(19, 1 << 20));
        assert_eq!(kept.bytes, before);
    }
}
