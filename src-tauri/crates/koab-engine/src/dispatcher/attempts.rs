//! Table of the plan's ended attempts, one byte per attempt. The attempts themselves are in the
//! journal.

use crate::plan::{Attempt, Plan};
use koab_core::level::Level;
use koab_core::run_record::{AttemptSummary, AttemptTally, Attempts, LinePlace};
use koab_core::task::Task;
use std::collections::HashMap;

/// State of an attempt: not ended, ended without an answer, or ended with an answer, right or
/// wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AttemptState {
    Open,
    Failed,
    Succeeded,
}

/// The attempts of a run.
pub(super) struct AttemptTable {
    /// State of each attempt, by its number in the dataset's order.
    states: Vec<AttemptState>,
    repetitions: usize,
    /// For each task its ended attempt with the lowest repetition.
    first: Vec<Option<(u32, LinePlace)>>,
    /// Number of unfinished attempts of each level.
    open: HashMap<Level, usize>,
    tally: AttemptTally,
}

impl AttemptTable {
    pub(super) fn new(tasks: &[Task], repetitions: u32) -> Self {
        let repetitions = repetitions as usize;
        let mut open = HashMap::new();
        for task in tasks {
            *open.entry(task.level.clone()).or_default() += repetitions;
        }
        Self {
            states: vec![AttemptState::Open; tasks.len() * repetitions],
            repetitions,
            first: vec![None; tasks.len()],
            open,
            tally: AttemptTally::default(),
        }
    }

    /// Records an ended attempt. A second attempt with the same number is ignored.
    pub(super) fn end(&mut self, attempt: Attempt, number: usize, ended: &AttemptSummary) {
        if self.states[number] != AttemptState::Open {
            return;
        }
        self.states[number] = if ended.success { AttemptState::Succeeded } else { AttemptState::Failed };
        if let Some(open) = self.open.get_mut(&ended.level) {
            *open -= 1;
        }
        let first = &mut self.first[attempt.task];
        if first.is_none_or(|(repetition, _)| attempt.repetition < repetition) {
            *first = Some((attempt.repetition, ended.place()));
        }
        self.tally.add(ended);
    }

    pub(super) fn has_ended(&self, number: usize) -> bool {
        self.states[number] != AttemptState::Open
    }

    /// Whether all attempts of a level have ended.
    pub(super) fn is_whole(&self, level: &Level) -> bool {
        self.open.get(level).is_none_or(|open| *open == 0)
    }

    pub(super) fn tally(&self) -> &AttemptTally {
        &self.tally
    }

    /// Journal position of the attempt that represents the task in the log, and `success` of all
    /// ended attempts. `None` if no attempt has ended.
    pub(super) fn of_task(&self, task: usize) -> Option<(LinePlace, Vec<bool>)> {
        let (_, place) = self.first[task]?;
        let of_task = &self.states[task * self.repetitions..(task + 1) * self.repetitions];
        let states = of_task.iter().filter(|state| **state != AttemptState::Open);
        Some((place, states.map(|state| *state == AttemptState::Succeeded).collect()))
    }
}

/// Ended attempts of an earlier start that belong to this shard, with their positions in the plan.
pub(super) fn planned(
    plan: &Plan,
    tasks: &[Task],
    repetitions: u32,
    ended: Attempts<AttemptSummary>,
) -> impl Iterator<Item = (Attempt, AttemptSummary)> {
    let places: HashMap<&str, usize> =
        tasks.iter().enumerate().map(|(place, task)| (task.id.as_str(), place)).collect();
    ended.into_iter().filter_map(move |ended| {
        let attempt = Attempt { task: *places.get(&*ended.task)?, repetition: ended.repetition };
        let is_planned = (1..=repetitions).contains(&ended.repetition) && plan.has(attempt);
        is_planned.then_some((attempt, ended))
    })
}
