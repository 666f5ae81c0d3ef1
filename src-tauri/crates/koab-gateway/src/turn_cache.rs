//! Data that models require to be sent back with their turns, such as signatures of thinking
//! blocks. Callers may lose such data, so it is kept here for the conversations of one trial.

use koab_engine::ports::{Message, ModelReply, Opaque, RequestedCall};
use serde_json::Value;
use std::collections::{HashMap, VecDeque};

/// Maximum number of turns in the cache.
///
/// A conversation has far fewer. A trial with thousands of calls has many conversations, most of
/// them over.
const MAX_TURNS: usize = 1024;
/// Maximum number of bytes of all turns.
const MAX_BYTES: usize = 8 << 20;

/// Turns with calls as the model wrote them, and the data that must be sent back with them, by the
/// id of the first call. The oldest turn is dropped first.
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
    /// Remembers the calls of a reply, unless they alone exceed [`MAX_BYTES`].
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
        if turn.bytes > MAX_BYTES {
            return;
        }
        self.bytes += turn.bytes;
        if let Some(before) = self.turns.insert(first.id.clone(), turn) {
            self.bytes -= before.bytes;
            self.order.retain(|id| *id != first.id);
        }
        self.order.push_back(first.id.clone());
        while self.order.len() > MAX_TURNS || self.bytes > MAX_BYTES {
            let Some(oldest) = self.order.pop_front() else {
                return;
            };
            self.bytes -= self.turns.remove(&oldest).map_or(0, |turn| turn.bytes);
        }
    }

    /// Restores data that the model requires to be sent back with its turns. A turn is restored
    /// only if its calls are those that the model wrote.
    ///
    /// The original spelling of the arguments is restored too, because API formats that have
    /// arguments as objects lose it.
    pub(super) fn give_back(&self, messages: &mut [Message]) {
        for message in messages {
            let Message::Assistant { calls, opaque, .. } = message else {
                continue;
            };
            let cached = calls.first().and_then(|first| self.turns.get(&first.id));
            let Some(turn) = cached.filter(|turn| same(&turn.calls, calls)) else {
                continue;
            };
            opaque.clone_from(&turn.opaque);
            calls.clone_from(&turn.calls);
        }
    }
}

/// Whether two lists contain the same calls. Arguments are compared after parsing.
fn same(original: &[RequestedCall], calls: &[RequestedCall]) -> bool {
    let value = |text: &str| serde_json::from_str::<Value>(text).ok();
    let alike = |(a, b): (&RequestedCall, &RequestedCall)| {
        let is_same_call = a.id == b.id && a.name == b.name;
        is_same_call
            && (a.arguments == b.arguments
                || value(&a.arguments).is_some_and(|a| Some(a) == value(&b.arguments)))
    };
    original.len() == calls.len() && original.iter().zip(calls).all(alike)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forms::nothing;
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
        for at in 0..MAX_TURNS + 10 {
            kept.add(&reply(at, 1));
        }
        assert_eq!((kept.order.len(), kept.turns.len()), (MAX_TURNS, MAX_TURNS));
        assert!(!is_kept(&kept, 9, 1) && is_kept(&kept, 10, 1) && is_kept(&kept, MAX_TURNS + 9, 1));
        for at in 0..20 {
            kept.add(&reply(at, 1 << 20));
            assert!(kept.bytes <= MAX_BYTES, "{}", kept.bytes);
        }
        assert!(kept.turns.len() < 8 && !is_kept(&kept, 0, 1 << 20) && is_kept(&kept, 19, 1 << 20));
        kept.add(&reply(99, MAX_BYTES + 1));
        assert!(is_kept(&kept, 19, 1 << 20), "what is too large drives nothing out");
        // The same call again takes the place of the earlier.
        let before = kept.bytes;
        kept.add(&reply(19, 1 << 20));
        assert_eq!(kept.bytes, before);
    }
}
