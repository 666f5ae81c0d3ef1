//! Composition of the next batch to compute.

use super::context::Entry;
use super::job::Job;
use super::slots::reusable;

/// One sequence of llama.cpp, with the request that uses it.
#[derive(Default)]
pub(super) struct Slot {
    /// Tokens of the sequence that are in memory.
    pub(super) tokens: Vec<i32>,
    /// Number of tokens from the beginning that were computed in whole steps of a prompt. Only
    /// these can be reused.
    pub(super) whole: usize,
    pub(super) job: Option<Job>,
    pub(super) used: u64,
}

/// Tokens that are computed at once.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) entries: Vec<Entry>,
    pub(super) advances: Vec<Advance>,
}

/// Progress of one slot by a batch.
pub(super) struct Advance {
    pub(super) slot: usize,
    pub(super) tokens: Vec<i32>,
    /// Index in the batch of the token whose logits are needed.
    pub(super) wanted: Option<usize>,
}

impl Batch {
    fn put(&mut self, slots: &[Slot], slot: usize, tokens: &[i32], is_last: bool) {
        let from = slots[slot].tokens.len();
        for (place, token) in tokens.iter().enumerate() {
            self.entries.push(Entry {
                token: *token,
                position: i32::try_from(from + place).unwrap_or(i32::MAX),
                sequence: sequence(slot),
                wanted: is_last && place + 1 == tokens.len(),
            });
        }
        self.advances.push(Advance {
            slot,
            tokens: tokens.to_vec(),
            wanted: is_last.then(|| self.entries.len() - 1),
        });
    }
}

/// A batch with the next token of every slot that generates.
pub(super) fn writing(slots: &[Slot]) -> Batch {
    let mut batch = Batch::default();
    for (slot, at) in slots.iter().enumerate() {
        if let Some(token) = at.job.as_ref().and_then(|job| job.next) {
            batch.put(slots, slot, &[token], true);
        }
    }
    batch
}

/// A batch with the next `step` tokens of one prompt and nothing else, so that a prompt is always
/// cut at the same places.
///
/// With `can_share`, a prompt waits while an earlier request reads the same tokens, because it can
/// copy them afterwards.
pub(super) fn reading(slots: &[Slot], step: usize, can_share: bool) -> Batch {
    let jobs = slots.iter().enumerate();
    let jobs = jobs.filter_map(|(slot, at)| Some((at.used, slot, at.job.as_ref()?)));
    let mut reading: Vec<(u64, usize, &Job)> = jobs.filter(|(_, _, job)| job.next.is_none()).collect();
    // Requests that began earlier are read first.
    reading.sort_unstable_by_key(|(used, _, _)| *used);
    let mut batch = Batch::default();
    for (place, (_, slot, job)) in reading.iter().enumerate() {
        let read = slots[*slot].tokens.len();
        let will_be_there =
            |(_, _, ahead): &(u64, usize, &Job)| reusable(&ahead.prompt, &job.prompt, step) > read;
        if can_share && !job.request.generate.reads_anew && reading[..place].iter().any(will_be_there) {
            continue;
        }
        let rest = &job.prompt[read..];
        let piece = &rest[..rest.len().min(step)];
        batch.put(slots, *slot, piece, piece.len() == rest.len());
        break;
    }
    batch
}

/// Sequence id that llama.cpp knows a slot by: its index.
pub(super) fn sequence(slot: usize) -> i32 {
    i32::try_from(slot).unwrap_or(i32::MAX)
}
