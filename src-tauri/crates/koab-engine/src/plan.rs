//! What a run will do: pure planning, no port is touched.

use koab_core::event::LevelPlan;
use koab_core::level::Level;
use koab_core::run_record::RunSpec;
use koab_core::task::Task;
use std::collections::BTreeMap;

/// One attempt to be made: which task, the how-manieth time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Place of the task in the run's list.
    pub task: usize,
    /// 1-based.
    pub repetition: u32,
}

/// A part of a plan: every attempt whose number in the dataset's order leaves `index` when divided
/// by `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// 0-based.
    pub index: u32,
    /// Parts in all, 1 or more.
    pub of: u32,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Self = Self { index: 0, of: 1 };

    fn has(self, number: usize) -> bool {
        number % self.of as usize == self.index as usize
    }
}

/// The attempts of a run in the order in which they are begun.
///
/// With several in flight the levels that take the most turns begin first, so that no long task is
/// left over at the end; the log's order is the dataset's either way. Nothing is kept an attempt: a
/// plan may have ten million.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Places of tasks, in the order in which they are begun.
    order: Vec<usize>,
    repetitions: u32,
    shard: Shard,
}

impl Plan {
    /// The plan of a run, or of a part of it.
    pub fn new(tasks: &[Task], spec: &RunSpec, shard: Shard) -> Self {
        let mut order: Vec<usize> = (0..tasks.len()).collect();
        if spec.concurrency > 1 {
            // Average model turns a task over the 8 published runs: L5 5.5, L3 3.2, L4 2.3, L2 and
            // L1 2, L7 and L6 1.4.
            let begins_at = |level: Level| match level {
                Level::L5 => 0,
                Level::L3 => 1,
                Level::L4 => 2,
                Level::L2 => 3,
                Level::L1 => 4,
                Level::L7 => 5,
                Level::L6 => 6,
                _ => 7,
            };
            order.sort_by_key(|i| begins_at(tasks[*i].level));
        }
        Self { order, repetitions: spec.repetitions, shard }
    }

    /// Attempts of the whole run.
    pub fn whole(&self) -> usize {
        self.order.len() * self.repetitions as usize
    }

    /// Attempts of this part.
    pub fn len(&self) -> usize {
        let (of, index) = (self.shard.of as usize, self.shard.index as usize);
        (self.whole() + of - 1).saturating_sub(index) / of
    }

    /// Whether this part has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of an attempt in the dataset's order, 0-based.
    pub fn number(&self, attempt: Attempt) -> usize {
        attempt.task * self.repetitions as usize + attempt.repetition as usize - 1
    }

    /// Whether the attempt is one of this part.
    pub fn has(&self, attempt: Attempt) -> bool {
        self.shard.has(self.number(attempt))
    }

    /// The attempts of this part, in the order in which they are begun.
    pub fn attempts(&self) -> impl Iterator<Item = Attempt> + Send + use<> {
        let Self { order, repetitions, shard } = self.clone();
        order.into_iter().flat_map(move |task| {
            let numbered = move |repetition| (task * repetitions as usize) + repetition as usize - 1;
            let of_shard = move |repetition: &u32| shard.has(numbered(*repetition));
            (1..=repetitions).filter(of_shard).map(move |repetition| Attempt { task, repetition })
        })
    }
}

/// The plan as the first event shows it: levels in order, tasks in dataset order.
pub fn level_plans(tasks: &[Task]) -> Vec<LevelPlan> {
    let mut plans: BTreeMap<Level, Vec<String>> = BTreeMap::new();
    for task in tasks {
        plans.entry(task.level).or_default().push(task.id.clone());
    }
    let plans = plans.into_iter();
    plans.map(|(level, tasks)| LevelPlan { level, tasks }).collect()
}
