//! What is computed in one step.

use super::context::Entry;
use super::job::Job;
use super::slots::{WORTH, common};

/// Tokens of prompts in a step in which others generate: enough to use the processor well, few enough that they hardly wait.
const BESIDE: usize = 64;

/// A sequence of llama.cpp.
#[derive(Default)]
pub(super) struct Slot {
    /// What is in memory of it.
    pub(super) tokens: Vec<i32>,
    pub(super) job: Option<Job>,
    pub(super) used: u64,
}

/// How far a slot gets in a step.
pub(super) struct Advance {
    pub(super) slot: usize,
    pub(super) tokens: Vec<i32>,
    /// Where in the step the answer to what follows is.
    pub(super) wanted: Option<usize>,
}

impl Slot {
    /// How much of a prompt is the same here: computed, or about to be.
    pub(super) fn agrees(&self, prompt: &[i32]) -> usize {
        self.job.as_ref().map_or(0, |job| common(&job.prompt, prompt))
    }
}

/// The next step of these slots: what they generate, then as much of prompts as `step` tokens leave room for.
///
/// A prompt waits while one ahead of it reads the same: it will be shared (where `can_share`), not computed twice.
pub(super) fn compose(slots: &[Slot], step: usize, can_share: bool) -> (Vec<Entry>, Vec<Advance>) {
    let (mut entries, mut advances) = (Vec::new(), Vec::new());
    let mut put = |slot: usize, tokens: &[i32], is_last: bool| {
        let from = slots[slot].tokens.len();
        for (place, token) in tokens.iter().enumerate() {
            entries.push(Entry {
                token: *token,
                position: i32::try_from(from + place).unwrap_or(i32::MAX),
                sequence: sequence(slot),
                wanted: is_last && place + 1 == tokens.len(),
            });
        }
        advances.push(Advance {
            slot,
            tokens: tokens.to_vec(),
            wanted: is_last.then(|| entries.len() - 1),
        });
    };
    let mut room = step;
    let mut reading = Vec::new();
    for (slot, at) in slots.iter().enumerate() {
        match &at.job {
            Some(Job {
                next: Some(token), ..
            }) => {
                put(slot, &[*token], true);
                room -= 1;
            }
            Some(job) => reading.push((at.used, slot, job)),
            None => {}
        }
    }
    if room < step {
        room = room.min(BESIDE);
    }
    // Who came first is read first.
    reading.sort_unstable_by_key(|(used, _, _)| *used);
    for (place, (_, slot, job)) in reading.iter().enumerate() {
        let slot = *slot;
        let read = slots[slot].tokens.len();
        let will_be_there =
            |(_, ahead, _): &(u64, usize, &Job)| slots[*ahead].agrees(&job.prompt) >= read + WORTH;
        if can_share && read + 1 < job.prompt.len() && reading[..place].iter().any(will_be_there) {
            continue;
        }
        let rest = &job.prompt[read..];
        let piece = &rest[..rest.len().min(room)];
        if !piece.is_empty() {
            put(slot, piece, piece.len() == rest.len());
            room -= piece.len();
        }
    }
    (entries, advances)
}

/// llama.cpp's number of a slot.
pub(super) fn sequence(slot: usize) -> i32 {
    i32::try_from(slot).unwrap_or(i32::MAX)
}
