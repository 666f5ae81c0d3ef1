//! Strata of a pack, over which attempts are distributed.
//!
//! A group of tasks has up to two strata: tasks that nearly all models solve or nearly no model
//! solves, and tasks on which models differ.

use super::seen::GateSide;
use crate::chance;
use koab_core::split_mix::SplitMix;
use serde::{Deserialize, Serialize};

/// Minimum number of tasks per stratum. A smaller stratum is merged with the other stratum of its
/// group.
const MIN_STRATUM_TASKS: usize = 3;
/// Maximum spread ([`GateTask::spread`]) of tasks on which nearly all models have the same result.
/// Models differ on tasks with a larger spread.
const MAX_STEADY_SPREAD: f64 = 0.5;

/// Task that a gate can attempt, with its results in earlier reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateTask {
    /// Name of the task.
    pub id: String,
    /// Group of the task, such as a level.
    pub group: String,
    /// Number of attempts at the task in earlier reports, except the baseline's own.
    pub attempts: u32,
    /// Number of attempts that solved the task.
    pub solved: u32,
}

impl GateTask {
    /// Standard deviation of the difference of two attempts, from earlier reports. Half a solved
    /// and half a failed attempt are added to the counts.
    fn spread(&self) -> f64 {
        let chance = (f64::from(self.solved) + 0.5) / (f64::from(self.attempts) + 1.0);
        (2.0 * chance * (1.0 - chance)).sqrt()
    }
}

/// Stratum of the pack.
#[derive(Clone, Debug, PartialEq)]
pub struct GateStratum {
    /// Group that the stratum belongs to.
    pub group: String,
    /// Indices of the stratum's tasks.
    pub tasks: Vec<usize>,
    /// Share of the pack's tasks that belong to the stratum.
    pub weight: f64,
    /// Expected standard deviation of a pair's difference, from earlier reports.
    pub spread: f64,
}

impl GateStratum {
    /// Tasks of the stratum's first `pairs` pairs: all tasks in random order, then all tasks in
    /// another random order, and so on.
    pub(super) fn drawn(&self, number: usize, pairs: usize, seed: u64) -> Vec<usize> {
        let mut mix = SplitMix(seed ^ (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut picks = Vec::with_capacity(pairs);
        while picks.len() < pairs {
            let order = chance::order(&mut mix, self.tasks.len());
            picks.extend(order.into_iter().map(|at| self.tasks[at]));
        }
        picks.truncate(pairs);
        picks
    }
}

/// Both sides, in the order of their attempts.
pub(super) const SIDES: [GateSide; 2] = [GateSide::Baseline, GateSide::Candidate];

/// Divides the tasks of a pack into strata.
pub(super) fn strata(tasks: &[GateTask]) -> Vec<GateStratum> {
    let mut groups: Vec<&str> = Vec::new();
    for task in tasks {
        if !groups.contains(&task.group.as_str()) {
            groups.push(&task.group);
        }
    }
    let mut strata = Vec::new();
    for group in groups {
        let of_group = (0..tasks.len()).filter(|at| tasks[*at].group == group);
        let (steady, unsteady): (Vec<usize>, Vec<usize>) =
            of_group.partition(|at| tasks[*at].attempts > 0 && tasks[*at].spread() <= MAX_STEADY_SPREAD);
        let parts = if steady.len().min(unsteady.len()) < MIN_STRATUM_TASKS {
            vec![[steady, unsteady].concat()]
        } else {
            vec![steady, unsteady]
        };
        strata.extend(parts.into_iter().map(|of| stratum(group, of, tasks)));
    }
    strata
}

fn stratum(group: &str, of: Vec<usize>, tasks: &[GateTask]) -> GateStratum {
    let squares: f64 = of.iter().map(|at| tasks[*at].spread().powi(2)).sum();
    GateStratum {
        group: group.to_owned(),
        weight: of.len() as f64 / tasks.len() as f64,
        spread: (squares / of.len() as f64).sqrt(),
        tasks: of,
    }
}
