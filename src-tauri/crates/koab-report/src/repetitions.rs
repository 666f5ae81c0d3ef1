//! Several attempts at the same tasks: how each was scored, and what they tell together
//! (`docs/design/comparison.md`).
//!
//! The published report knows the first attempt alone. What is here stands beside it:
//! [`Repetitions`] is what a scoring keeps, [`summary`] computes pass@k, pass^k, means over all
//! attempts and disagreement from it.

mod attempt;
mod estimate;
mod summary;
#[cfg(test)]
mod tests;

pub use attempt::{AttemptScore, AttemptScores, Scores};
pub use estimate::{pass_all, pass_at};

pub use summary::{
    Disagreement, RepeatedFigure, RepeatedMetric, RepetitionScope, RepetitionSummary, RunMean, summary,
};

use super::Report;
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::score::{MetricId, Score};
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Version of [`Repetitions`]' form.
pub const FORMAT: u32 = 1;

/// Every attempt of a run, scored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Repetitions {
    /// Version of this form: [`FORMAT`].
    pub format: u32,
    /// Attempts a task that the run planned.
    pub planned: u32,
    /// By which rules they were scored.
    pub scorer: Protocol,
    /// Judges that were asked; empty when none.
    pub judges: Vec<String>,
    /// Whether judges were asked about the first attempts only.
    pub first_only: bool,
    /// Tasks in report order.
    pub tasks: Vec<RepeatedTask>,
}

/// The attempts at one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RepeatedTask {
    /// Its level.
    pub level: Level,
    /// Task id.
    pub task: String,
    /// Attempts that ended, by repetition; those that were planned and not made are not here.
    #[serde(deserialize_with = "attempt::attempts")]
    pub attempts: Vec<AttemptScores>,
}

/// What of an attempt is decided before it is scored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptFact {
    /// Its level.
    pub level: Level,
    /// Task id.
    pub task: String,
    /// 1-based repetition.
    pub repetition: u32,
    /// Whether it ended with an answer.
    pub answered: bool,
    /// What went wrong, when it ended for a technical reason.
    pub technical: Option<Sentence>,
    /// Whether its conversation is in the run's files.
    pub kept: bool,
    /// Whether it is the one that the published log and report have.
    pub logged: bool,
}

/// Puts the attempts of a run together, one after the other.
#[derive(Debug)]
pub struct Collection {
    repetitions: Repetitions,
    places: HashMap<(Level, String), usize>,
}

impl Collection {
    /// Nothing yet; `logged` is the report of the attempts in the log.
    pub fn new(planned: u32, first_only: bool, logged: &Report) -> Self {
        Self {
            repetitions: Repetitions {
                format: FORMAT,
                planned,
                scorer: logged.scorer,
                judges: logged.judges.clone(),
                first_only,
                tasks: Vec::new(),
            },
            places: HashMap::new(),
        }
    }

    /// One attempt more, with the report that has its scores.
    pub fn add(&mut self, fact: AttemptFact, report: Option<&Report>) {
        let scores = report.map_or_else(Vec::new, |report| scores_of(report, &fact));
        let tasks = &mut self.repetitions.tasks;
        let place = *self.places.entry((fact.level, fact.task.clone())).or_insert_with(|| {
            tasks.push(RepeatedTask { level: fact.level, task: fact.task, attempts: Vec::new() });
            tasks.len() - 1
        });
        let attempts = &mut tasks[place].attempts;
        let attempt = AttemptScores {
            repetition: fact.repetition,
            answered: fact.answered,
            technical: fact.technical.map(Box::new),
            kept: fact.kept,
            scores: attempt::among(attempts, scores),
        };
        attempts.push(attempt);
    }

    /// All of them, by repetition.
    pub fn finish(mut self) -> Repetitions {
        for task in &mut self.repetitions.tasks {
            task.attempts.sort_by_key(|attempt| attempt.repetition);
        }
        self.repetitions
    }
}

/// The scores of one attempt. `pass@k` is left out: of a single attempt it is whether it answered.
fn scores_of(report: &Report, fact: &AttemptFact) -> Vec<AttemptScore> {
    let level = report.levels.iter().find(|level| level.level == fact.level);
    let task = level.and_then(|level| level.tasks.iter().find(|task| task.id == fact.task));
    let Some(task) = task else { return Vec::new() };
    let scores = task.scores.iter().filter(|(metric, score)| {
        *metric != MetricId::PassAtK && !matches!(score, Score::NotApplicable { .. })
    });
    let scored = scores.map(|(metric, score)| AttemptScore {
        metric: *metric,
        value: score.value(),
        why: match score {
            Score::Unscored { reason } => Some(reason.clone()),
            Score::Errored { error } => Some(error.as_str().into()),
            Score::Scored { .. } | Score::NotApplicable { .. } => None,
        },
    });
    scored.collect()
}
