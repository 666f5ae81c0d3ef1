//! Which place in the memory of attention a new request takes, and what of it can be used again.
//!
//! A slot keeps what its last request left there. A request takes over the longest common beginning of all slots, also of
//! those at work; from another slot it is copied, which takes as long as computing a few tokens. Where it goes on is another
//! question: a conversation's next turn belongs where the conversation is; a new one should not overwrite a conversation that
//! may go on.

/// What is known of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SlotState<'a> {
    /// What is in memory.
    pub(super) tokens: &'a [i32],
    /// Whether a request is at work in it.
    pub(super) busy: bool,
    /// When it was last used; larger is later.
    pub(super) used: u64,
}

/// Where a request goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SlotChoice {
    /// The slot to work in.
    pub(super) slot: usize,
    /// The slot to take the beginning from; may be the same.
    pub(super) source: usize,
    /// Length of that beginning.
    pub(super) shared: usize,
}

/// A slot that shares this many tokens more than all others with a request is its conversation.
const OWN: usize = 32;

/// Tokens that are worth a copy.
pub(super) const WORTH: usize = 32;

/// The place for a prompt; nothing while all slots are busy.
pub(super) fn place(slots: &[SlotState<'_>], prompt: &[i32]) -> Option<SlotChoice> {
    let shared: Vec<usize> = slots.iter().map(|slot| common(slot.tokens, prompt)).collect();
    let (source, most) = best(shared.iter().copied().enumerate())?;
    let idle = || slots.iter().enumerate().filter(|(_, slot)| !slot.busy);
    let (own, own_shared) = best(idle().map(|(at, _)| (at, shared[at])))?;
    let others = shared.iter().enumerate().filter(|(at, _)| *at != own);
    let next = others.map(|(_, shared)| *shared).max().unwrap_or(0);
    let continues = own_shared > 0 && own_shared == slots[own].tokens.len();
    let slot = if continues || own_shared >= next + OWN {
        own
    } else {
        // Empty ones were never used, or longest ago.
        idle()
            .min_by_key(|(_, slot)| (!slot.tokens.is_empty(), slot.used))
            .map_or(own, |(at, _)| at)
    };
    // At least one token has to be computed to know what follows.
    let computed = prompt.len().saturating_sub(1);
    let (there, elsewhere) = (shared[slot].min(computed), most.min(computed));
    let (source, shared) = if elsewhere >= there + WORTH {
        (source, elsewhere)
    } else {
        (slot, there)
    };
    Some(SlotChoice { slot, source, shared })
}

/// The first largest.
fn best(shared: impl Iterator<Item = (usize, usize)>) -> Option<(usize, usize)> {
    shared.reduce(|best, next| if next.1 > best.1 { next } else { best })
}

/// Length of the common beginning.
pub(super) fn common(left: &[i32], right: &[i32]) -> usize {
    left.iter()
        .zip(right)
        .take_while(|(left, right)| left == right)
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn idle(tokens: &[i32], used: u64) -> SlotState<'_> {
        SlotState {
            tokens,
            busy: false,
            used,
        }
    }

    fn busy(tokens: &[i32]) -> SlotState<'_> {
        SlotState {
            tokens,
            busy: true,
            used: 9,
        }
    }

    #[test]
    fn a_conversation_goes_on_where_it_is() {
        let tools: Vec<i32> = (0..100).collect();
        let turn = |with: i32| -> Vec<i32> { tools.iter().copied().chain([with; 50]).collect() };
        let (first, second) = (turn(-1), turn(-2));
        let next: Vec<i32> = second.iter().copied().chain([7, 8]).collect();
        let slots = [idle(&first, 1), idle(&second, 2)];
        let expected = SlotChoice {
            slot: 1,
            source: 1,
            shared: 150,
        };
        assert_eq!(place(&slots, &next), Some(expected));
        // Also when its last answer reads otherwise than it was generated.
        let changed: Vec<i32> = second[..140].iter().copied().chain([7, 8]).collect();
        assert_eq!(
            place(&slots, &changed).map(|place| (place.slot, place.shared)),
            Some((1, 140))
        );
    }

    #[test]
    fn a_new_one_takes_tools_from_a_slot_at_work_and_an_empty_or_the_oldest_place() {
        let tools: Vec<i32> = (0..100).collect();
        let first: Vec<i32> = tools.iter().copied().chain([-1; 50]).collect();
        let second: Vec<i32> = tools.iter().copied().chain([-2; 50]).collect();
        let new: Vec<i32> = tools.iter().copied().chain([-3; 5]).collect();
        let slots = [busy(&first), idle(&[], 0), idle(&second, 3)];
        let expected = SlotChoice {
            slot: 1,
            source: 0,
            shared: 100,
        };
        assert_eq!(place(&slots, &new), Some(expected));
        let slots = [idle(&first, 5), idle(&second, 3)];
        let expected = SlotChoice {
            slot: 1,
            source: 1,
            shared: 100,
        };
        assert_eq!(place(&slots, &new), Some(expected));
        assert_eq!(place(&[busy(&first), busy(&second)], &new), None);
    }

    #[test]
    fn the_last_token_is_always_computed() {
        let slots = [idle(&[1, 2, 3], 1)];
        assert_eq!(place(&slots, &[1, 2, 3]).map(|place| place.shared), Some(2));
        assert_eq!(place(&slots, &[4]).map(|place| place.shared), Some(0));
    }
}
