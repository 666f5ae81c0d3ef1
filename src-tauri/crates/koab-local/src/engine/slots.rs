//! Choice of the memory slot for a new request, and of the tokens that it can reuse.
//!
//! A slot keeps the tokens of its last request. A request reuses the longest common beginning in
//! any slot, even in one that is computing. A beginning in another slot is copied, which takes as
//! long as computing a few tokens. The slot is chosen separately: the next turn of a conversation
//! belongs into the conversation's slot, and a new conversation should not overwrite one that may
//! continue.
//!
//! Only whole steps of a prompt are reused. llama.cpp sums in an order that depends on how many
//! tokens it computes at once. A prompt is always cut at the same places, so its numbers are the
//! same whether it is computed or copied.

/// State of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SlotState<'a> {
    /// Tokens in the slot's memory.
    pub(super) tokens: &'a [i32],
    /// Number of tokens from the beginning that were computed in whole steps of a prompt. Only
    /// these can be reused.
    pub(super) whole: usize,
    /// Whether a request is being computed in the slot.
    pub(super) busy: bool,
    /// Sequence number of the last use; larger is later.
    pub(super) used: u64,
}

/// Slot and reused tokens of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SlotChoice {
    /// Slot that computes the request.
    pub(super) slot: usize,
    /// Slot that contains the reused beginning; may be the same slot.
    pub(super) source: usize,
    /// Length of the reused beginning in tokens.
    pub(super) shared: usize,
}

/// A slot counts as that of the request's conversation only if it shares this many tokens more with
/// the request than any other slot does.
const MIN_OWN_TOKENS: usize = 32;

/// Chooses the slot for a prompt that is computed in steps of `step` tokens. `None` while all slots
/// are busy.
pub(super) fn place(slots: &[SlotState<'_>], prompt: &[i32], step: usize) -> Option<SlotChoice> {
    let shared: Vec<usize> = slots.iter().map(|slot| common(slot.tokens, prompt)).collect();
    let reusable = |at: usize| reusable(&slots[at].tokens[..slots[at].whole], prompt, step);
    let (source, most) = best((0..slots.len()).map(|at| (at, reusable(at))))?;
    let idle = || slots.iter().enumerate().filter(|(_, slot)| !slot.busy);
    let (own, own_shared) = best(idle().map(|(at, _)| (at, shared[at])))?;
    let others = shared.iter().enumerate().filter(|(at, _)| *at != own);
    let next = others.map(|(_, shared)| *shared).max().unwrap_or(0);
    let continues = own_shared > 0 && own_shared == slots[own].tokens.len();
    let slot = if continues || own_shared >= next + MIN_OWN_TOKENS {
        own
    } else {
        // Empty slots come first, then the one that was used longest ago.
        idle().min_by_key(|(_, slot)| (!slot.tokens.is_empty(), slot.used)).map_or(own, |(at, _)| at)
    };
    let there = reusable(slot);
    let (source, shared) = if most > there { (source, most) } else { (slot, there) };
    Some(SlotChoice { slot, source, shared })
}

/// Number of tokens of a prompt that can be reused: whole steps only, and at least one token is
/// left to compute, because its logits are needed.
pub(super) fn reusable(read: &[i32], prompt: &[i32], step: usize) -> usize {
    common(read, prompt).min(prompt.len().saturating_sub(1)) / step * step
}

/// Index and number of the first entry with the largest number.
fn best(shared: impl Iterator<Item = (usize, usize)>) -> Option<(usize, usize)> {
    shared.reduce(|best, next| if next.1 > best.1 { next } else { best })
}

/// Number of tokens at the beginning that two lists have in common.
fn common(left: &[i32], right: &[i32]) -> usize {
    left.iter().zip(right).take_while(|(left, right)| left == right).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: usize = 20;

    fn idle(tokens: &[i32], used: u64) -> SlotState<'_> {
        SlotState { tokens, whole: tokens.len() / STEP * STEP, busy: false, used }
    }

    fn busy(tokens: &[i32]) -> SlotState<'_> {
        SlotState { busy: true, ..idle(tokens, 9) }
    }

    fn choice(slot: usize, source: usize, shared: usize) -> Option<SlotChoice> {
        Some(SlotChoice { slot, source, shared })
    }

    #[test]
    fn a_conversation_goes_on_where_it_is() {
        let tools: Vec<i32> = (0..100).collect();
        let turn = |with: i32| -> Vec<i32> { tools.iter().copied().chain([with; 50]).collect() };
        let (first, second) = (turn(-1), turn(-2));
        let next: Vec<i32> = second.iter().copied().chain([7, 8]).collect();
        let slots = [idle(&first, 1), idle(&second, 2)];
        assert_eq!(place(&slots, &next, STEP), choice(1, 1, 140));
        // Also when its last answer reads otherwise than it was generated.
        let changed: Vec<i32> = second[..135].iter().copied().chain([7, 8]).collect();
        assert_eq!(place(&slots, &changed, STEP), choice(1, 1, 120));
    }

    #[test]
    fn a_new_one_takes_tools_from_a_slot_at_work_and_an_empty_or_the_oldest_place() {
        let tools: Vec<i32> = (0..100).collect();
        let first: Vec<i32> = tools.iter().copied().chain([-1; 50]).collect();
        let second: Vec<i32> = tools.iter().copied().chain([-2; 50]).collect();
        let new: Vec<i32> = tools.iter().copied().chain([-3; 5]).collect();
        let slots = [busy(&first), idle(&[], 0), idle(&second, 3)];
        assert_eq!(place(&slots, &new, STEP), choice(1, 0, 100));
        let slots = [idle(&first, 5), idle(&second, 3)];
        assert_eq!(place(&slots, &new, STEP), choice(1, 1, 100));
        assert_eq!(place(&[busy(&first), busy(&second)], &new, STEP), None);
    }

    #[test]
    fn the_last_step_is_always_computed() {
        let read: Vec<i32> = (0..60).collect();
        let again = |length: usize| place(&[idle(&read, 1)], &read[..length], STEP).map(|place| place.shared);
        assert_eq!([60, 41, 40, 20, 1].map(again), [40, 40, 20, 0, 0].map(Some));
        assert_eq!(place(&[idle(&read, 1)], &[99], STEP), choice(0, 0, 0));
    }

    #[test]
    fn what_was_written_is_not_taken_for_what_was_read() {
        let tokens: Vec<i32> = (0..60).collect();
        // A prompt of 30 tokens and an answer of 30.
        let slot = SlotState { whole: 20, ..idle(&tokens, 1) };
        assert_eq!(place(&[slot], &tokens, STEP), choice(0, 0, 20));
    }
}
