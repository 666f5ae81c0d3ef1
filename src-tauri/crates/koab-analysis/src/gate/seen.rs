//! Outcomes of a gate so far.

use koab_report::repetitions;
use serde::{Deserialize, Serialize};

/// One of the two sides that a gate compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateSide {
    /// Side that the candidate is compared with.
    Baseline,
    /// Side with the model or the settings after the change.
    Candidate,
}

/// Attempt that has to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GateAttempt {
    /// Index of the task.
    pub task: usize,
    /// Side that makes the attempt.
    pub side: GateSide,
}

/// Outcome of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateOutcome {
    /// Score of the metric, from 0 to 1; null where the attempt cannot be scored.
    pub score: Option<f64>,
    /// Identifier of the answer's text. Answers with the same identifier share one verdict, since
    /// verdicts are stored by text.
    pub answer: Option<u64>,
}

impl From<f64> for GateOutcome {
    fn from(score: f64) -> Self {
        Self { score: Some(score), answer: None }
    }
}

/// All outcomes so far, with one list per task, in the order of the attempts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GateSeen {
    /// Outcomes of the baseline.
    pub baseline: Vec<Vec<GateOutcome>>,
    /// Outcomes of the candidate.
    pub candidate: Vec<Vec<GateOutcome>>,
    /// Number of answers to each task (on either side) whose verdict changed when the judge was
    /// asked again.
    #[serde(default)]
    pub flips: Vec<u32>,
}

impl GateSeen {
    /// Empty outcomes for this number of tasks.
    pub fn none(tasks: usize) -> Self {
        Self { baseline: vec![Vec::new(); tasks], candidate: vec![Vec::new(); tasks], flips: vec![0; tasks] }
    }

    /// Adds the outcome of an attempt.
    pub fn add(&mut self, attempt: GateAttempt, outcome: GateOutcome) {
        let side = match attempt.side {
            GateSide::Baseline => &mut self.baseline,
            GateSide::Candidate => &mut self.candidate,
        };
        if let Some(of_task) = side.get_mut(attempt.task) {
            of_task.push(outcome);
        }
    }

    /// Outcomes of one side at a task.
    pub(super) fn outcomes(&self, task: usize, side: GateSide) -> &[GateOutcome] {
        let side = match side {
            GateSide::Baseline => &self.baseline,
            GateSide::Candidate => &self.candidate,
        };
        side.get(task).map_or(&[], Vec::as_slice)
    }

    /// Tasks that the candidate solved only sometimes, or whose verdict changes when the judge is
    /// asked again. The tasks that it solved least often come first.
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

/// Task that is solved only sometimes, or whose verdict changes when the judge is asked again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FlakyTask {
    /// Index of the task.
    pub task: usize,
    /// Number of attempts that have a score.
    pub attempts: usize,
    /// Number of attempts that solved the task.
    pub solved: usize,
    /// Chance that two attempts both solve the task: pass^2 (Yao et al. 2024, *τ-bench*).
    pub both: Option<f64>,
    /// Number of answers to the task (on either side) whose verdict changed when the judge was
    /// asked again.
    pub judge_flips: u32,
}
