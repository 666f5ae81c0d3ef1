//! What has been tried so far.

use koab_report::repetitions;
use serde::{Deserialize, Serialize};

/// A side of the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateSide {
    /// What is held against.
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
    /// A number that answers with the very same text share: judges' verdicts are kept by text, so these are one verdict.
    pub answer: Option<u64>,
}

impl From<f64> for GateOutcome {
    fn from(score: f64) -> Self {
        Self {
            score: Some(score),
            answer: None,
        }
    }
}

/// All outcomes so far, a list a task, in the order of the attempts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GateSeen {
    /// The baseline's.
    pub baseline: Vec<Vec<GateOutcome>>,
    /// The candidate's.
    pub candidate: Vec<Vec<GateOutcome>>,
}

impl GateSeen {
    /// Nothing yet of so many tasks.
    pub fn none(tasks: usize) -> Self {
        Self {
            baseline: vec![Vec::new(); tasks],
            candidate: vec![Vec::new(); tasks],
        }
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
    pub(super) fn of(&self, task: usize, side: GateSide) -> &[GateOutcome] {
        let side = match side {
            GateSide::Baseline => &self.baseline,
            GateSide::Candidate => &self.candidate,
        };
        side.get(task).map_or(&[], Vec::as_slice)
    }

    /// Tasks that the candidate solved sometimes, those that it solved least often first.
    pub fn flaky(&self) -> Vec<FlakyTask> {
        let of_task = |(task, outcomes): (usize, &Vec<GateOutcome>)| {
            let scores: Vec<f64> = outcomes.iter().filter_map(|one| one.score).collect();
            let solved = scores.iter().filter(|score| **score >= 1.0).count();
            (solved > 0 && solved < scores.len()).then(|| FlakyTask {
                task,
                attempts: scores.len(),
                solved,
                both: repetitions::pass_all(scores.len(), solved, 2),
            })
        };
        let mut flaky: Vec<FlakyTask> = self.candidate.iter().enumerate().filter_map(of_task).collect();
        flaky.sort_by(|one, other| one.both.unwrap_or(0.0).total_cmp(&other.both.unwrap_or(0.0)));
        flaky
    }
}

/// A task that is solved sometimes.
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
}

/// How often a judge that is asked the same twice says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgeFlips {
    /// Answers that were judged twice.
    pub asked: u32,
    /// Of these judged differently.
    pub differed: u32,
}

impl JudgeFlips {
    /// The chance that one verdict is not what the judge mostly says, `e` with `2e(1 − e)` the share that differed. At most a
    /// quarter, since beyond a judge says next to nothing.
    pub fn error(self) -> f64 {
        let share = f64::from(self.differed) / f64::from(self.asked.max(1));
        ((1.0 - (1.0 - 2.0 * share).max(0.0).sqrt()) / 2.0).min(0.25)
    }
}
