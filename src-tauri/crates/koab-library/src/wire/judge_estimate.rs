//! Types for scores that are corrected for errors of a judge.

use super::QueueSummary;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Parameters of a random draw of questions for a review queue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueDraw {
    /// Metric of the questions.
    pub metric: MetricId,
    /// Probability of each question to be in the queue.
    pub probability: f64,
    /// Number of questions that the queue was drawn from.
    pub of: u32,
}

/// A mean with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct EstimatedMean {
    /// The estimate, from 0 to 1.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// Mean of a judge's answers, and the estimate of people's mean that is based on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct JudgeCorrected {
    /// Judge model id.
    pub judge: String,
    /// Mean of the judge's answers to all questions of the run; null if the judge has not answered
    /// some of them.
    pub judged: Option<f64>,
    /// Estimate of people's mean over all questions, from the answers of people and of the judge.
    pub corrected: Option<EstimatedMean>,
    /// Weight of the judge's answers in the estimate, from 0 to 1.
    pub lambda: Option<f64>,
    /// Reason why the estimate is missing; null if there is an estimate.
    pub reason: Option<Sentence>,
}

/// Estimates of people's mean answer to the questions of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunCorrected {
    /// Run id.
    pub run: String,
    /// Model id.
    pub model: String,
    /// Number of questions to judges in the run. A score that the log alone decides has no
    /// question.
    pub questions: u32,
    /// Number of the run's questions to judges with a person's answer that counts.
    pub answers: u32,
    /// Estimate from people's answers alone; null if there are too few answers.
    pub human: Option<EstimatedMean>,
    /// Reason why the estimate from people's answers alone is missing.
    pub reason: Option<Sentence>,
    /// Estimates that also use a judge's answers to questions that no person has answered, one per
    /// judge.
    pub judges: Vec<JudgeCorrected>,
}

/// Estimates from the answers to a random queue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueEstimate {
    /// The queue, as in the list of queues.
    pub queue: QueueSummary,
    /// Metric of the questions.
    pub metric: MetricId,
    /// Number of answers before the first unanswered question. Only these answers count.
    pub counted: u32,
    /// Number of unsure answers among the answers that count. Each counts as the middle of the
    /// scale, and the intervals cover both ends of the scale.
    pub unsure: u32,
    /// Number of answers after the first unanswered question. These answers do not count.
    pub behind: u32,
    /// Estimates, one per run.
    pub runs: Vec<RunCorrected>,
}
