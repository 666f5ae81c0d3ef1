//! What crosses about scores corrected for the judge.

use super::QueueSummary;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How a queue was drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueDraw {
    /// Metric of its questions.
    pub metric: String,
    /// The chance of each question to be in the queue.
    pub probability: f64,
    /// Questions that it was drawn from.
    pub of: u32,
}

/// A mean with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct EstimatedMean {
    /// The estimate, from 0 to 1.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// A judge's mean beside what people would have said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct JudgeCorrected {
    /// Judge model id.
    pub judge: String,
    /// Its mean over all questions of the run; null when it has not answered all.
    pub judged: Option<f64>,
    /// What people would have said over all, by their answers and this judge's.
    pub corrected: Option<EstimatedMean>,
    /// How much the judge counts in it, from 0 to 1.
    pub lambda: Option<f64>,
    /// Why there is no estimate; null when there is.
    pub reason: Option<Sentence>,
}

/// What people would have said about a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunCorrected {
    /// The run.
    pub run: String,
    /// Model id.
    pub model: String,
    /// Its questions to judges; what the log decides is none.
    pub questions: u32,
    /// Of these, with an answer that counts.
    pub answers: u32,
    /// By people's answers alone; null when they say too little.
    pub human: Option<EstimatedMean>,
    /// Why not.
    pub reason: Option<Sentence>,
    /// With each judge's word on the questions that nobody looked at.
    pub judges: Vec<JudgeCorrected>,
}

/// What follows from the answers to a random queue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueEstimate {
    /// As in the list.
    pub queue: QueueSummary,
    /// Metric of its questions.
    pub metric: String,
    /// Answers up to the first question that was left out: those count.
    pub counted: u32,
    /// Of these, unsure ones: they count with the middle of the scale, and the intervals reach to
    /// both of its ends.
    pub unsure: u32,
    /// Answers behind it, which do not count.
    pub behind: u32,
    /// A run each.
    pub runs: Vec<RunCorrected>,
}
