//! The engine's thread: it computes all requests, one step of each in turn.
//!
//! Each round computes the next token of every sequence that generates, then a step of one prompt
//! that is not yet read. Thus a long prompt does not stop other requests, and no sequence waits for
//! the end of another.

use koab_core::say;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;

use llama_cpp_2::token::LlamaToken;

use super::compose::{Advance, Batch, Slot, reading, sequence, writing};
use super::context::Step;
use super::error::EngineError;
use super::job::{Job, Request};
use super::load::Loaded;
use super::log;
use super::request::{Finish, Token};
use super::sampling::Sampling;
use super::slots::{SlotChoice, SlotState, place, reusable};

pub(super) struct Worker {
    loaded: Loaded,
    slots: Vec<Slot>,
    queue: VecDeque<Request>,
    alarm: Arc<AtomicBool>,
    stopping: Arc<AtomicBool>,
    /// Number of requests that were begun so far. It orders the slots by their last use.
    clock: u64,
}

impl Worker {
    pub(super) fn new(loaded: Loaded, alarm: Arc<AtomicBool>, stopping: Arc<AtomicBool>) -> Self {
        let slots = (0..loaded.facts.parallel).map(|_| Slot::default()).collect();
        Self { loaded, slots, queue: VecDeque::new(), alarm, stopping, clock: 0 }
    }

    /// Computes requests until all senders are dropped or the engine is to stop.
    pub(super) fn run(mut self, inbox: &Receiver<Request>) {
        loop {
            if self.queue.is_empty() && self.slots.iter().all(|slot| slot.job.is_none()) {
                let Ok(request) = inbox.recv() else { break };
                self.queue.push_back(request);
            }
            self.queue.extend(inbox.try_iter());
            // A cancellation from here on sets the alarm again, so none is missed.
            self.alarm.store(false, Ordering::Release);
            if self.stopping.load(Ordering::Acquire) {
                break;
            }
            self.drop_cancelled();
            self.begin_waiting();
            self.step();
        }
        self.queue.extend(inbox.try_iter());
        let jobs = self.slots.iter_mut().filter_map(|slot| slot.job.take());
        jobs.for_each(|job| job.end(Finish::Cancelled, None));
        self.queue.drain(..).for_each(|request| request.end(Finish::Cancelled));
    }

    fn drop_cancelled(&mut self) {
        for slot in &mut self.slots {
            if let Some(job) = slot.job.take_if(|job| job.request.ticket.is_cancelled()) {
                job.end(Finish::Cancelled, None);
            }
        }
        let waiting = std::mem::take(&mut self.queue);
        for request in waiting {
            if request.ticket.is_cancelled() {
                request.end(Finish::Cancelled);
            } else {
                self.queue.push_back(request);
            }
        }
    }

    /// Assigns free slots to waiting requests, in their order.
    fn begin_waiting(&mut self) {
        while self.slots.iter().any(|slot| slot.job.is_none()) {
            let Some(request) = self.queue.pop_front() else {
                break;
            };
            let checked = self
                .checked(&request)
                .and_then(|prompt| Ok((prompt, Sampling::new(&request.generate, &self.loaded.model)?)));
            match checked {
                Err(error) => request.fail(error),
                Ok(_) if request.generate.max_tokens == 0 => request.end(Finish::Length),
                Ok((prompt, sampling)) => self.begin(request, prompt, sampling),
            }
        }
    }

    fn checked(&self, request: &Request) -> Result<Vec<i32>, EngineError> {
        let tokens = &request.generate.tokens;
        let facts = &self.loaded.facts;
        if tokens.is_empty() {
            return Err(EngineError::EmptyPrompt);
        }
        if tokens.len() > facts.context_per_sequence as usize {
            return Err(EngineError::PromptTooLong {
                tokens: tokens.len(),
                context: facts.context_per_sequence,
            });
        }
        let valid = |id: &u32| match i32::try_from(*id) {
            Ok(token) if *id < facts.vocabulary => Ok(token),
            _ => Err(EngineError::UnknownToken { id: *id, known: facts.vocabulary }),
        };
        tokens.iter().map(valid).collect()
    }

    fn begin(&mut self, request: Request, prompt: Vec<i32>, sampling: Sampling) {
        let states: Vec<SlotState<'_>> = self
            .slots
            .iter()
            .map(|slot| SlotState {
                tokens: &slot.tokens,
                whole: slot.whole,
                busy: slot.job.is_some(),
                used: slot.used,
            })
            .collect();
        let Some(mut place) = place(&states, &prompt, self.loaded.step) else {
            self.queue.push_front(request);
            return;
        };
        if request.generate.reads_anew {
            (place.source, place.shared) = (place.slot, 0);
        }
        let shared = self.take_over(place);
        self.clock += 1;
        let slot = &mut self.slots[place.slot];
        slot.used = self.clock;
        slot.tokens = prompt[..shared].to_vec();
        slot.whole = shared;
        let job = slot.job.insert(Job::new(request, prompt, sampling, shared));
        if job.request.ticket.is_cancelled() {
            self.alarm.store(true, Ordering::Release);
        }
    }

    /// Prepares the memory of a slot for a request: the tokens to be reused stay or are copied, the
    /// others are removed.
    ///
    /// Returns the number of reused tokens. It is 0 if the memory cannot be shared.
    fn take_over(&mut self, SlotChoice { slot, source, shared }: SlotChoice) -> usize {
        let context = &mut self.loaded.context;
        let sequence = sequence(slot);
        let length = self.slots[slot].tokens.len();
        if !self.loaded.facts.can_cut_back {
            if source == slot && shared == length && shared > 0 {
                return shared;
            }
            context.forget(sequence, 0);
            return 0;
        }
        let mut is_sound = true;
        if source != slot {
            context.forget(sequence, 0);
            if shared > 0 {
                is_sound = context.share(self::sequence(source), sequence, shared);
            }
        } else if length > shared {
            is_sound = context.forget(sequence, shared);
        }
        // A sliding window may have dropped the beginning.
        if shared > 0 && is_sound && context.first(sequence) == 0 {
            return shared;
        }
        context.forget(sequence, 0);
        0
    }

    /// Reuses tokens that other slots have computed since a prompt was begun. Attempts that start
    /// at the same time have the same tools, so much of their prompts is equal.
    fn share_more(&mut self) {
        if !self.loaded.facts.can_cut_back {
            return;
        }
        let step = self.loaded.step;
        for slot in 0..self.slots.len() {
            let is_reading = |job: &&Job| job.next.is_none() && !job.request.generate.reads_anew;
            let Some(job) = self.slots[slot].job.as_ref().filter(is_reading) else {
                continue;
            };
            let others = self.slots.iter().enumerate().filter(|(other, _)| *other != slot);
            let there = others.map(|(other, at)| {
                let read = reusable(&at.tokens[..at.whole], &job.prompt, step);
                // A slot that still computes the same tokens is waited for, because a copy takes
                // all of them: one copy then suffices.
                let will_be = at.job.as_ref().map_or(0, |other| reusable(&other.prompt, &job.prompt, step));
                (if will_be > read { 0 } else { read }, other)
            });
            let Some((shared, source)) = there.max() else {
                continue;
            };
            if shared > self.slots[slot].tokens.len() {
                let shared = self.take_over(SlotChoice { slot, source, shared });
                let slot = &mut self.slots[slot];
                if let Some(job) = &mut slot.job {
                    job.reused = (job.reused + shared).saturating_sub(slot.tokens.len());
                    slot.tokens = job.prompt[..shared].to_vec();
                    slot.whole = shared;
                }
            }
        }
    }

    fn step(&mut self) {
        let batch = writing(&self.slots);
        if !batch.entries.is_empty() && !self.compute(batch) {
            return;
        }
        self.share_more();
        let batch = reading(&self.slots, self.loaded.step, self.loaded.facts.can_cut_back);
        if !batch.entries.is_empty() {
            self.compute(batch);
        }
    }

    /// Computes a batch. Returns whether it was computed completely.
    fn compute(&mut self, batch: Batch) -> bool {
        log::forget();
        let end = self.loaded.context.step(&batch.entries);
        match end {
            Step::Done => batch.advances.into_iter().for_each(|advance| self.advance(advance)),
            Step::Interrupted => self.forget_parts(&batch.advances),
            Step::Full => self.make_room(),
            Step::Failed(code) => {
                let reason = log::reason();
                self.fail_all(&EngineError::Compute { code, reason });
            }
        }
        end == Step::Done
    }

    /// Removes the partly computed tokens of an interrupted step from memory.
    fn forget_parts(&mut self, advances: &[Advance]) {
        if self.loaded.facts.can_cut_back {
            for Advance { slot, .. } in advances {
                let length = self.slots[*slot].tokens.len();
                self.loaded.context.forget(sequence(*slot), length);
            }
        }
    }

    fn advance(&mut self, advance: Advance) {
        let slot = &mut self.slots[advance.slot];
        slot.tokens.extend(advance.tokens);
        if slot.job.as_ref().is_some_and(|job| job.next.is_none()) {
            // The steps of a prompt begin at multiples of the step length.
            slot.whole = slot.tokens.len() / self.loaded.step * self.loaded.step;
        }
        let Some(entry) = advance.wanted else { return };
        let Some(mut job) = slot.job.take() else { return };
        let logits = self.loaded.context.logits(entry);
        let chosen = logits.ok_or(EngineError::NotANumber).and_then(|logits| {
            let chosen = job.sampling.choose(logits)?;
            let logit = usize::try_from(chosen.0).ok().and_then(|id| logits.get(id).copied());
            Ok((chosen, logit.unwrap_or(f32::NAN)))
        });
        let (chosen, logit) = match chosen {
            Ok(chosen) => chosen,
            Err(error) => return job.fail(error),
        };
        let vocabulary = self.loaded.model.vocab();
        let id = u32::try_from(chosen.0).unwrap_or_default();
        if vocabulary.is_eog(chosen) || job.request.generate.stop.contains(&id) {
            return job.end(Finish::Stop, Some(id));
        }
        let bytes = vocabulary.token_to_piece(LlamaToken::new(chosen.0), true, None);
        if job.tell(Token { id, logit, bytes }) {
            job.end(Finish::Length, None);
        } else if slot.tokens.len() >= self.loaded.facts.context_per_sequence as usize {
            job.end(Finish::ContextFull, None);
        } else {
            job.next = Some(chosen.0);
            slot.job = Some(job);
        }
    }

    /// Frees the memory of the slot whose last request is the oldest. The memory is large enough
    /// for all requests that are being computed.
    fn make_room(&mut self) {
        let idle = self.slots.iter().enumerate();
        let idle = idle.filter(|(_, slot)| slot.job.is_none() && !slot.tokens.is_empty());
        if let Some((oldest, _)) = idle.min_by_key(|(_, slot)| slot.used) {
            self.loaded.context.forget(sequence(oldest), 0);
            self.slots[oldest].tokens.clear();
            self.slots[oldest].whole = 0;
        } else {
            let reason = say!("the memory for the context is full");
            self.fail_all(&EngineError::Compute { code: 1, reason });
        }
    }

    fn fail_all(&mut self, error: &EngineError) {
        for (number, slot) in self.slots.iter_mut().enumerate() {
            self.loaded.context.forget(sequence(number), 0);
            slot.tokens.clear();
            slot.whole = 0;
            if let Some(job) = slot.job.take() {
                job.fail(error.clone());
            }
        }
    }
}
