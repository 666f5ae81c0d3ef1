//! Several attempts at the same tasks, as the report page shows them.

use koab_core::level::Level;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_report::repetitions::{self as core, RepetitionScope};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What the attempts of a report's run tell, or why there is nothing to tell.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export)]
pub struct RepetitionsView {
    /// Why there is nothing: one attempt a task, or only the first ones were scored.
    pub reason: Option<Sentence>,
    /// Attempts a task that the run planned.
    pub planned: u32,
    /// Whether judges were asked about the first attempts only.
    pub first_only: bool,
    /// All tasks first, then each level.
    pub scopes: Vec<RepetitionScope>,
    /// Tasks in report order, each with its attempts.
    pub tasks: Vec<RepeatedTaskView>,
}

/// The attempts at one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RepeatedTaskView {
    /// Its level.
    pub level: Level,
    /// Task id.
    pub task: String,
    /// Planned attempts in order, also those that were not made.
    pub attempts: Vec<AttemptMark>,
}

/// One attempt in a strip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AttemptMark {
    /// 1-based repetition.
    pub repetition: u32,
    /// Whether it was made.
    pub made: bool,
    /// Whether it ended with an answer.
    pub answered: bool,
    /// Whether its conversation is in the run's files.
    pub kept: bool,
    /// The success of the attempt, SR: 1 or 0; null when nobody judged it.
    pub success: Option<f64>,
    /// Why there is none, or the technical reason for which the attempt ended.
    pub why: Option<Sentence>,
}

impl RepeatedTaskView {
    /// A task with a mark for each of the planned attempts.
    pub fn new(task: &core::RepeatedTask, planned: u32) -> Self {
        let attempts = (1..=planned.min(1000)).map(|repetition| {
            let made = task.attempts.iter().find(|attempt| attempt.repetition == repetition);
            made.map_or_else(|| AttemptMark::not_made(repetition), AttemptMark::new)
        });
        Self { level: task.level, task: task.task.clone(), attempts: attempts.collect() }
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
