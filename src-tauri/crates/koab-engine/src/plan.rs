//! What a run will do: pure planning, no port is touched.

use koab_core::event::LevelPlan;
use koab_core::level::Level;
use koab_core::record::RunSpec;
use koab_core::task::Task;

/// One attempt to be made: which task, the how-manieth time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Place of the task in the run's list.
    pub task: usize,
    /// 1-based.
    pub repetition: u32,
}

/// All attempts of a run, in the order in which they are begun.
///
/// With several in flight the levels that take the most turns begin first, so that no long task is left over at the
/// end; the log's order is the dataset's either way.
pub fn plan(tasks: &[Task], spec: &RunSpec) -> Vec<Attempt> {
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    if spec.concurrency > 1 {
        // Average model turns a task over the 8 published runs: L5 5.5, L3 3.2, L4 2.3, L2 and L1 2, L7 and L6 1.4.
        let begins_at = |level: Level| match level {
            Level::L5 => 0,
            Level::L3 => 1,
            Level::L4 => 2,
            Level::L2 => 3,
            Level::L1 => 4,
            Level::L7 => 5,
            Level::L6 => 6,
        };
        order.sort_by_key(|i| begins_at(tasks[*i].level));
    }
    order
        .into_iter()
        .flat_map(|task| (1..=spec.repetitions).map(move |repetition| Attempt { task, repetition }))
        .collect()
}

/// The plan as the first event shows it: levels in order, tasks in dataset order.
pub fn level_plans(tasks: &[Task]) -> Vec<LevelPlan> {
    Level::ALL
        .into_iter()
        .filter_map(|level| {
            let ids: Vec<String> = tasks
                .iter()
                .filter(|t| t.level == level)
                .map(|t| t.id.clone())
                .collect();
            (!ids.is_empty()).then_some(LevelPlan { level, tasks: ids })
        })
        .collect()
}
