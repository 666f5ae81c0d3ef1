//! Several attempts at the same tasks: their scores, and the statistics over them
//! (`docs/design/comparison.md`).
//!
//! The published report contains only the first attempt. This module adds the others:
//! [`Repetitions`] is the stored result of a scoring, and [`summary`] computes pass@k, pass^k,
//! means over all attempts and disagreement from it.

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

/// Version of the format of [`Repetitions`].
pub const FORMAT: u32 = 1;

/// Scores of every attempt of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Repetitions {
    /// Version of the format: [`FORMAT`].
    pub format: u32,
    /// Number of planned attempts per task.
    pub planned: u32,
    /// Rules that the attempts were scored by: leaderboard or corrected.
    pub scorer: Protocol,
    /// Judges of the scoring; empty without judges.
    pub judges: Vec<String>,
    /// Whether only the first attempts were judged.
    pub first_only: bool,
    /// Tasks in report order.
    pub tasks: Vec<RepeatedTask>,
}

/// Attempts at one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RepeatedTask {
    /// Level of the task.
    pub level: Level,
    /// Task id.
    pub task: String,
    /// Attempts that ended, by repetition. Planned attempts that were not made are absent.
    #[serde(deserialize_with = "attempt::attempts")]
    pub attempts: Vec<AttemptScores>,
}

/// Facts about an attempt that are known before it is scored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptFact {
    /// Level of the task.
    pub level: Level,
    /// Task id.
    pub task: String,
    /// Number of the repetition, from 1.
    pub repetition: u32,
    /// Whether the attempt ended with an answer.
    pub answered: bool,
    /// Description of the technical failure that ended the attempt; `None` without such a failure.
    pub technical: Option<Sentence>,
    /// Whether the run's files contain the conversation.
    pub kept: bool,
    /// Whether the published log and report contain this attempt.
    pub logged: bool,
}

/// Collects the scored attempts of a run, one after the other.
#[derive(Debug)]
pub struct Collection {
    repetitions: Repetitions,
    places: HashMap<(Level, String), usize>,
}

impl Collection {
    /// Creates an empty collection. `logged` is the report of the attempts in the log.
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

    /// Adds an attempt. The given report contains its scores.
    pub fn add(&mut self, fact: AttemptFact, report: Option<&Report>) {
        let scores = report.map_or_else(Vec::new, |report| scores_of(report, &fact));
        let tasks = &mut self.repetitions.tasks;
        let place = *self.places.entry((fact.level.clone(), fact.task.clone())).or_insert_with(|| {
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

    /// Returns all attempts, ordered by repetition.
    pub fn finish(mut self) -> Repetitions {
        for task in &mut self.repetitions.tasks {
            task.attempts.sort_by_key(|attempt| attempt.repetition);
        }
        self.repetitions
    }
}

/// Scores of one attempt without `pass@k`, which for a single attempt is only whether there was an
/// answer.
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
