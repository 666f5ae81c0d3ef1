//! Table of the plan's attempts, one byte per attempt. The attempts themselves are in the journal.

use crate::plan::{Attempt, Plan};
use koab_core::level::Level;
use koab_core::run_record::{AttemptSummary, AttemptTally, Attempts, LinePlace};
use koab_core::task::Task;
use std::collections::{BTreeMap, HashMap, HashSet};

/// State of an attempt: not ended, ended without an answer, or ended with an answer, right or
/// wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AttemptState {
    Open,
    /// The attempt ended without success, but not for a technical reason.
    Failed,
    /// The attempt failed for a technical reason, so it may be made again.
    Lost,
    Succeeded,
}

/// The attempts of a run.
pub(super) struct AttemptTable {
    /// State of each attempt, by its number in the dataset's order.
    states: Vec<AttemptState>,
    repetitions: usize,
    /// For each task its ended attempt with the lowest repetition, without lost attempts.
    first: Vec<Option<(u32, LinePlace)>>,
    /// Lost attempts by their number.
    lost: BTreeMap<usize, LinePlace>,
    /// Tasks that were left out. Their attempts are not begun any more.
    left_out: HashSet<usize>,
    /// Number of unfinished attempts of the shard at tasks that were left out.
    skipped: usize,
    /// Number of unfinished attempts of each level, without tasks that were left out.
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
            lost: BTreeMap::new(),
            left_out: HashSet::new(),
            skipped: 0,
            open,
            tally: AttemptTally::default(),
        }
    }

    /// Records an ended attempt. A second attempt with the same number is ignored.
    pub(super) fn end(&mut self, attempt: Attempt, number: usize, ended: &AttemptSummary) {
        if self.states[number] != AttemptState::Open {
            return;
        }
        if self.left_out.contains(&attempt.task) {
            self.skipped -= 1;
        } else if let Some(open) = self.open.get_mut(&ended.level) {
            *open -= 1;
        }
        self.tally.add(ended);
        if ended.stop.is_technical() {
            self.states[number] = AttemptState::Lost;
            self.lost.insert(number, ended.place());
            return;
        }
        self.states[number] = if ended.success { AttemptState::Succeeded } else { AttemptState::Failed };
        let first = &mut self.first[attempt.task];
        if first.is_none_or(|(repetition, _)| attempt.repetition < repetition) {
            *first = Some((attempt.repetition, ended.place()));
        }
    }

    pub(super) fn has_ended(&self, number: usize) -> bool {
        self.states[number] != AttemptState::Open
    }

    /// Lost attempts, each with its position in the journal.
    pub(super) fn lost(&self) -> impl Iterator<Item = (Attempt, LinePlace)> {
        self.lost.iter().map(|(number, place)| (self.attempt(*number), *place))
    }

    /// Opens a lost attempt again. `ended` is the attempt as it was recorded.
    pub(super) fn reopen(&mut self, attempt: Attempt, number: usize, ended: &AttemptSummary) {
        if self.lost.remove(&number).is_none() {
            return;
        }
        self.states[number] = AttemptState::Open;
        self.tally.remove(ended);
        if self.left_out.contains(&attempt.task) {
            self.skipped += 1;
        } else {
            *self.open.entry(ended.level.clone()).or_default() += 1;
        }
    }

    /// Leaves a task out: its open attempts are no longer planned.
    pub(super) fn leave_out(&mut self, task: usize, level: &Level, plan: &Plan) {
        if !self.left_out.insert(task) {
            return;
        }
        let open: Vec<Attempt> = self.open_attempts(task).collect();
        if let Some(of_level) = self.open.get_mut(level) {
            *of_level -= open.len();
        }
        self.skipped += open.into_iter().filter(|attempt| plan.has(*attempt)).count();
    }

    pub(super) fn is_left_out(&self, task: usize) -> bool {
        self.left_out.contains(&task)
    }

    /// Attempts at a task that have not ended.
    pub(super) fn open_attempts(&self, task: usize) -> impl Iterator<Item = Attempt> {
        let numbers = task * self.repetitions..(task + 1) * self.repetitions;
        numbers.filter(|number| !self.has_ended(*number)).map(|number| self.attempt(number))
    }

    /// Number of unfinished attempts of the shard that are no longer planned.
    pub(super) fn skipped(&self) -> usize {
        self.skipped
    }

    /// Whether all attempts of a level have ended or are no longer planned.
    pub(super) fn is_whole(&self, level: &Level) -> bool {
        self.open.get(level).is_none_or(|open| *open == 0)
    }

    pub(super) fn tally(&self) -> &AttemptTally {
        &self.tally
    }

    /// Journal position of the attempt that represents the task in the log, and `success` of all
    /// ended attempts. `None` if no attempt has ended.
    pub(super) fn of_task(&self, task: usize) -> Option<(LinePlace, Vec<bool>)> {
        let numbers = task * self.repetitions..(task + 1) * self.repetitions;
        let lost = self.lost.range(numbers.clone()).next();
        let lost = lost.map(|(number, place)| (self.attempt(*number).repetition, *place));
        let (_, place) =
            self.first[task].into_iter().chain(lost).min_by_key(|(repetition, _)| *repetition)?;
        let states = self.states[numbers].iter().filter(|state| **state != AttemptState::Open);
        Some((place, states.map(|state| *state == AttemptState::Succeeded).collect()))
    }

    fn attempt(&self, number: usize) -> Attempt {
        Attempt { task: number / self.repetitions, repetition: (number % self.repetitions) as u32 + 1 }
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
