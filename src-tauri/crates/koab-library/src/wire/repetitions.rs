//! Repeated attempts at the same tasks, as the report page shows them.

use koab_core::level::Level;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_report::repetitions::{self as core, RepetitionScope};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Statistics of the repeated attempts of a report's run, or the reason why they are missing.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export)]
pub struct RepetitionsView {
    /// Reason why the statistics are missing: the run has one attempt per task, or only the first
    /// attempts were scored.
    pub reason: Option<Sentence>,
    /// Number of planned attempts per task.
    pub planned: u32,
    /// Whether judges were called only about the first attempt at each task.
    pub first_only: bool,
    /// Statistics over all tasks, then per level.
    pub scopes: Vec<RepetitionScope>,
    /// Tasks in the order of the report, each with its attempts.
    pub tasks: Vec<RepeatedTaskView>,
}

/// The attempts at one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RepeatedTaskView {
    /// Level of the task.
    pub level: Level,
    /// Task id.
    pub task: String,
    /// Planned attempts in their order, including attempts that were not made.
    pub attempts: Vec<AttemptMark>,
}

/// One attempt, as a mark in a row of marks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AttemptMark {
    /// 1-based repetition.
    pub repetition: u32,
    /// Whether the attempt has been made.
    pub made: bool,
    /// Whether the attempt ended with an answer.
    pub answered: bool,
    /// Whether the run's files contain the conversation of the attempt.
    pub kept: bool,
    /// SR of the attempt: 1 or 0; null if it is unscored.
    pub success: Option<f64>,
    /// Reason why the SR is missing, or the technical reason why the attempt ended.
    pub why: Option<Sentence>,
}

impl RepeatedTaskView {
    /// Creates the view of a task, with a mark for each planned attempt.
    pub fn new(task: &core::RepeatedTask, planned: u32) -> Self {
        let attempts = (1..=planned.min(1000)).map(|repetition| {
            let attempt = task.attempts.iter().find(|attempt| attempt.repetition == repetition);
            attempt.map_or_else(|| AttemptMark::not_made(repetition), AttemptMark::new)
        });
        Self { level: task.level.clone(), task: task.task.clone(), attempts: attempts.collect() }
    }
}

impl AttemptMark {
    fn not_made(repetition: u32) -> Self {
        Self {
            repetition,
            made: false,
            answered: false,
            kept: false,
            success: None,
            why: Some(koab_core::reason::Reason::AttemptNotMade {}.into()),
        }
    }

    fn new(attempt: &core::AttemptScores) -> Self {
        let score = attempt.score(MetricId::Sr);
        let unscored = score.and_then(|score| score.why.clone());
        let not_kept = || (!attempt.kept).then(|| koab_core::reason::Reason::AttemptNotKept {}.into());
        Self {
            repetition: attempt.repetition,
            made: true,
            answered: attempt.answered,
            kept: attempt.kept,
            success: score.and_then(|score| score.value),
            why: attempt.technical.as_deref().cloned().or(unscored).or_else(not_kept),
        }
    }
}
