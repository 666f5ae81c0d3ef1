//! Several attempts at the same tasks: how each was scored, and what they tell together (`docs/design/comparison.md`).
//!
//! The published report knows the first attempt alone. What is here stands beside it: [`Repetitions`] is what a scoring
//! keeps, [`summary`] computes pass@k, pass^k, means over all attempts and disagreement from it.

mod estimate;
mod summary;
#[cfg(test)]
mod tests;

pub use estimate::{pass_all, pass_at};
pub use summary::{
    Disagreement, RepeatedFigure, RepeatedMetric, RepetitionScope, RepetitionSummary, RunMean, summary,
};

use super::Report;
use crate::level::Level;
use crate::protocol::Protocol;
use crate::score::{MetricId, Score};
use crate::sentence::Sentence;
use serde::{Deserialize, Serialize};

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
    pub attempts: Vec<AttemptScores>,
}

/// How one attempt was scored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttemptScores {
    /// 1-based repetition.
    pub repetition: u32,
    /// Whether it ended with an answer, right or wrong.
    pub answered: bool,
    /// What went wrong, when it ended for a technical reason and so says nothing about the model's skill.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub technical: Option<Sentence>,
    /// Whether its conversation is in the run's files.
    pub kept: bool,
    /// Scores of the metrics that are about the task; none where the conversation was not kept.
    pub scores: Vec<AttemptScore>,
}

/// One metric of one attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttemptScore {
    /// The metric.
    pub metric: MetricId,
    /// The score; null when it cannot be told.
    pub value: Option<f64>,
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Sentence>,
}

impl AttemptScores {
    /// The score of a metric, when the metric is about the task.
    pub fn score(&self, metric: MetricId) -> Option<&AttemptScore> {
        self.scores.iter().find(|score| score.metric == metric)
    }

    /// The number of a metric; of RRR, which has no score of its own, from the answer.
    pub fn value(&self, metric: MetricId) -> Option<f64> {
        if metric == MetricId::Rrr {
            return Some(f64::from(u8::from(self.answered)));
        }
        self.score(metric)?.value
    }
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

/// Puts the attempts of a run together: what is known of each, in report order, the report of those in the log, and a
/// report of each later repetition.
pub fn gather(
    planned: u32,
    first_only: bool,
    facts: Vec<AttemptFact>,
    logged: &Report,
    later: &[(u32, Report)],
) -> Repetitions {
    let mut tasks: Vec<RepeatedTask> = Vec::new();
    for fact in facts {
        let of_later = || {
            let own = later
                .iter()
                .find(|(repetition, _)| *repetition == fact.repetition);
            own.map(|(_, report)| report)
        };
        let report = if fact.logged { Some(logged) } else { of_later() };
        let scores = report.map_or_else(Vec::new, |report| scores_of(report, &fact));
        let attempt = AttemptScores {
            repetition: fact.repetition,
            answered: fact.answered,
            technical: fact.technical,
            kept: fact.kept,
            scores,
        };
        let known = tasks
            .iter()
            .position(|task| task.level == fact.level && task.task == fact.task);
        match known {
            Some(place) => tasks[place].attempts.push(attempt),
            None => tasks.push(RepeatedTask {
                level: fact.level,
                task: fact.task,
                attempts: vec![attempt],
            }),
        }
    }
    for task in &mut tasks {
        task.attempts.sort_by_key(|attempt| attempt.repetition);
    }
    Repetitions {
        format: FORMAT,
        planned,
        scorer: logged.scorer,
        judges: logged.judges.clone(),
        first_only,
        tasks,
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
