//! What has been tried so far.

use koab_report::repetitions;
use serde::{Deserialize, Serialize};

/// A side of the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateSide {
    /// What the candidate is compared with.
    Baseline,
    /// What was changed.
    Candidate,
}

/// An attempt that is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GateAttempt {
    /// Place of the task.
    pub task: usize,
    /// Whose attempt.
    pub side: GateSide,
}

/// What an attempt came to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateOutcome {
    /// The metric, from 0 to 1; null where the attempt cannot be scored.
    pub score: Option<f64>,
    /// A number that answers with the very same text share: judges' verdicts are kept by text, so
    /// these are one verdict.
    pub answer: Option<u64>,
}

impl From<f64> for GateOutcome {
    fn from(score: f64) -> Self {
        Self { score: Some(score), answer: None }
    }
}

/// All outcomes so far, a list a task, in the order of the attempts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GateSeen {
    /// The baseline's.
    pub baseline: Vec<Vec<GateOutcome>>,
    /// The candidate's.
    pub candidate: Vec<Vec<GateOutcome>>,
    /// Of each task, its answers of either side that were judged otherwise when the judge was asked
    /// again.
    #[serde(default)]
    pub flips: Vec<u32>,
}

impl GateSeen {
    /// Nothing yet of so many tasks.
    pub fn none(tasks: usize) -> Self {
        Self { baseline: vec![Vec::new(); tasks], candidate: vec![Vec::new(); tasks], flips: vec![0; tasks] }
    }

    /// Adds an outcome.
    pub fn add(&mut self, attempt: GateAttempt, outcome: GateOutcome) {
        let side = match attempt.side {
            GateSide::Baseline => &mut self.baseline,
            GateSide::Candidate => &mut self.candidate,
        };
        if let Some(of_task) = side.get_mut(attempt.task) {
            of_task.push(outcome);
        }
    }

    /// A task's, of a side.
    pub(super) fn outcomes(&self, task: usize, side: GateSide) -> &[GateOutcome] {
        let side = match side {
            GateSide::Baseline => &self.baseline,
            GateSide::Candidate => &self.candidate,
        };
        side.get(task).map_or(&[], Vec::as_slice)
    }

    /// Tasks that the candidate solved sometimes, or whose verdict flips; those that it solved
    /// least often first.
    pub fn flaky(&self) -> Vec<FlakyTask> {
        let of_task = |(task, outcomes): (usize, &Vec<GateOutcome>)| {
            let scores: Vec<f64> = outcomes.iter().filter_map(|one| one.score).collect();
            let solved = scores.iter().filter(|score| **score >= 1.0).count();
            let judge_flips = self.flips.get(task).copied().unwrap_or(0);
            let is_flaky = judge_flips > 0 || (solved > 0 && solved < scores.len());
            is_flaky.then(|| FlakyTask {
                task,
                attempts: scores.len(),
                solved,
                both: repetitions::pass_all(scores.len(), solved, 2),
                judge_flips,
            })
        };
        let mut flaky: Vec<FlakyTask> = self.candidate.iter().enumerate().filter_map(of_task).collect();
        flaky.sort_by(|one, other| one.both.unwrap_or(0.0).total_cmp(&other.both.unwrap_or(0.0)));
        flaky
    }
}

/// A task that is solved sometimes, or whose verdict flips.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FlakyTask {
    /// Place of the task.
    pub task: usize,
    /// Attempts that have a score.
    pub attempts: usize,
    /// Of these solved.
    pub solved: usize,
    /// The chance that two attempts both solve it, pass^2 (Yao et al. 2024, *τ-bench*).
    pub both: Option<f64>,
    /// Its answers, of either side, that were judged otherwise when the judge was asked again.
    pub judge_flips: u32,
}
