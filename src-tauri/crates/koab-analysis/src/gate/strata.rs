//! The parts of a pack among which attempts are shared out: groups, and within each the tasks that
//! everyone solves or nobody does apart from those that models differ on.

use super::seen::GateSide;
use crate::chance;
use koab_core::split_mix::SplitMix;
use serde::{Deserialize, Serialize};

/// A stratum of fewer tasks joins the other one of its group.
const LEAST_TASKS: usize = 3;
/// A task whose spread is above this is one that models differ on.
const UNSTEADY: f64 = 0.5;

/// A task of the pack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateTask {
    /// Its name.
    pub id: String,
    /// Its group, such as a level.
    pub group: String,
    /// Attempts at it in earlier reports, the baseline's own left out.
    pub attempts: u32,
    /// Of these solved.
    pub solved: u32,
}

impl GateTask {
    /// Standard deviation of the difference of two attempts, by earlier reports and half an attempt
    /// of each kind.
    fn spread(&self) -> f64 {
        let chance = (f64::from(self.solved) + 0.5) / (f64::from(self.attempts) + 1.0);
        (2.0 * chance * (1.0 - chance)).sqrt()
    }
}

/// A part of the pack.
#[derive(Clone, Debug, PartialEq)]
pub struct GateStratum {
    /// The group.
    pub group: String,
    /// Places of its tasks.
    pub tasks: Vec<usize>,
    /// Its share of the pack's tasks.
    pub weight: f64,
    /// Standard deviation of a pair's difference, expected by earlier reports.
    pub spread: f64,
}

impl GateStratum {
    /// The tasks of its first `pairs` pairs: all in a random order, then all in another one, and so
    /// on.
    pub(super) fn drawn(&self, number: usize, pairs: usize, seed: u64) -> Vec<usize> {
        let mut mix = SplitMix(seed ^ (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut drawn = Vec::with_capacity(pairs);
        while drawn.len() < pairs {
            let order = chance::order(&mut mix, self.tasks.len());
            drawn.extend(order.into_iter().map(|at| self.tasks[at]));
        }
        drawn.truncate(pairs);
        drawn
    }
}

/// Both sides, in the order in which they are tried.
pub(super) const SIDES: [GateSide; 2] = [GateSide::Baseline, GateSide::Candidate];

/// The strata of a pack.
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
            of_group.partition(|at| tasks[*at].attempts > 0 && tasks[*at].spread() <= UNSTEADY);
        let parts = if steady.len().min(unsteady.len()) < LEAST_TASKS {
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
