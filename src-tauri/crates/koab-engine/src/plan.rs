//! The plan of a run, which is made without model calls, files or a clock.

use koab_core::event::LevelPlan;
use koab_core::level::Level;
use koab_core::run_record::RunSpec;
use koab_core::task::Task;
use std::collections::BTreeMap;

/// A planned attempt: its task and its repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Position of the task in the run's list.
    pub task: usize,
    /// 1-based number of the repetition.
    pub repetition: u32,
}

/// A shard of a plan: the attempts whose number leaves the remainder `index` when divided by `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// 0-based number of the shard.
    pub index: u32,
    /// Number of shards, 1 or more.
    pub of: u32,
}

impl Shard {
    /// A shard that contains the whole plan.
    pub const WHOLE: Self = Self { index: 0, of: 1 };

    fn has(self, number: usize) -> bool {
        number % self.of as usize == self.index as usize
    }
}

/// The attempts of a run, in the order to begin them.
///
/// If several attempts are in flight, the levels with the most turns begin first, so that no long
/// task is left for the end. The log always has the dataset's order. A plan stores nothing for each
/// attempt, since it may have ten million.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Positions of the tasks, in the order to begin them.
    order: Vec<usize>,
    repetitions: u32,
    shard: Shard,
}

impl Plan {
    /// Creates the plan of a run, or of one shard of the run.
    pub fn new(tasks: &[Task], spec: &RunSpec, shard: Shard) -> Self {
        let mut order: Vec<usize> = (0..tasks.len()).collect();
        if spec.concurrency > 1 {
            // Average model turns a task over the 8 published runs: L5 5.5, L3 3.2, L4 2.3, L2 and
            // L1 2, L7 and L6 1.4.
            let begins_at = |level: &Level| match level {
                Level::L5 => 0,
                Level::L3 => 1,
                Level::L4 => 2,
                Level::L2 => 3,
                Level::L1 => 4,
                Level::L7 => 5,
                Level::L6 => 6,
                Level::Group(_) => 7,
            };
            order.sort_by_key(|i| begins_at(&tasks[*i].level));
        }
        Self { order, repetitions: spec.settings.repetitions, shard }
    }

    /// Number of attempts of the whole run.
    pub fn whole(&self) -> usize {
        self.order.len() * self.repetitions as usize
    }

    /// Number of attempts of this shard.
    pub fn len(&self) -> usize {
        let (of, index) = (self.shard.of as usize, self.shard.index as usize);
        (self.whole() + of - 1).saturating_sub(index) / of
    }

    /// Whether this shard has no attempts.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of an attempt in the dataset's order, 0-based.
    pub fn number(&self, attempt: Attempt) -> usize {
        attempt.task * self.repetitions as usize + attempt.repetition as usize - 1
    }

    /// Whether an attempt belongs to this shard.
    pub fn has(&self, attempt: Attempt) -> bool {
        self.shard.has(self.number(attempt))
    }

    /// The attempts of this shard, in the order to begin them.
    pub fn attempts(&self) -> impl Iterator<Item = Attempt> + Send + use<> {
        let Self { order, repetitions, shard } = self.clone();
        order.into_iter().flat_map(move |task| {
            let numbered = move |repetition| (task * repetitions as usize) + repetition as usize - 1;
            let of_shard = move |repetition: &u32| shard.has(numbered(*repetition));
            (1..=repetitions).filter(of_shard).map(move |repetition| Attempt { task, repetition })
        })
    }
}

/// Task ids by level, for the run's first event and its manifest: levels in order, tasks in dataset
/// order.
pub fn level_plans(tasks: &[Task]) -> Vec<LevelPlan> {
    let mut plans: BTreeMap<&Level, Vec<String>> = BTreeMap::new();
    for task in tasks {
        plans.entry(&task.level).or_default().push(task.id.clone());
    }
    let plans = plans.into_iter();
    plans.map(|(level, tasks)| LevelPlan { level: level.clone(), tasks }).collect()
}
