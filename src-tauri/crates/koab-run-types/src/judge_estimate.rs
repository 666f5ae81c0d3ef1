//! Types for scores that are corrected for errors of the judge.

use super::QueueSummary;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Parameters of a random draw of questions for a review queue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueDraw {
    /// Metric of the questions.
    pub metric: String,
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

/// A judge's mean and the estimate of people's mean that uses it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct JudgeCorrected {
    /// Judge model id.
    pub judge: String,
    /// The judge's mean over all questions of the run; null when some have no answer of the judge.
    pub judged: Option<f64>,
    /// Estimate of people's mean over all questions, from their answers and the judge's.
    pub corrected: Option<EstimatedMean>,
    /// Weight of the judge's answers in the estimate, from 0 to 1.
    pub lambda: Option<f64>,
    /// Reason why the estimate is missing; null when it exists.
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
    /// Number of the run's questions to judges; scores that the log alone decides have no question.
    pub questions: u32,
    /// Number of these questions with a person's answer that counts.
    pub answers: u32,
    /// Estimate from people's answers alone; null when there are too few.
    pub human: Option<EstimatedMean>,
    /// Reason why that estimate is missing.
    pub reason: Option<Sentence>,
    /// Estimates that also use a judge's answers to the questions without a person's answer, one
    /// per judge.
    pub judges: Vec<JudgeCorrected>,
}

/// Estimates from the answers to a random queue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueEstimate {
    /// The queue, as the list of queues has it.
    pub queue: QueueSummary,
    /// Metric of the questions.
    pub metric: String,
    /// Number of answers before the first question without one; only these count.
    pub counted: u32,
    /// Number of counted answers that are unsure. Each counts as the middle of the scale, and the
    /// intervals include both of its ends.
    pub unsure: u32,
    /// Number of answers after the first question without one, which do not count.
    pub behind: u32,
    /// Estimates, one per run.
    pub runs: Vec<RunCorrected>,
}
