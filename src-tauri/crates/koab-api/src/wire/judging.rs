//! What crosses to the UI about judges: how far they agree.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A number that may not exist.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Figure {
    /// The number.
    pub value: Option<f64>,
    /// Why there is none.
    pub reason: Option<String>,
}

impl From<Result<f64, String>> for Figure {
    fn from(result: Result<f64, String>) -> Self {
        match result {
            Ok(value) => Self {
                value: Some(value),
                reason: None,
            },
            Err(reason) => Self {
                value: None,
                reason: Some(reason),
            },
        }
    }
}

/// Whose answers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Compared {
    /// Those of several judges: agreement.
    Judges,
    /// Several votes of one judge on the same prompt: its self-consistency, which is no agreement between judges.
    Votes,
}

/// What the compared answers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum AnswerScale {
    /// Yes or no; Krippendorff's alpha is the nominal one.
    YesNo,
    /// Grades from 1 to 5; Krippendorff's alpha is the ordinal one.
    Grades,
    /// Both together, for which there is only the share of equal answers.
    Mixed,
}

/// Cohen's kappa of two judges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PairKappa {
    /// One judge.
    pub one: String,
    /// The other.
    pub other: String,
    /// Kappa, unweighted, over the questions that both answered.
    pub kappa: Figure,
}

/// How far the answers to the questions of one metric, or of several together, agree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct JudgeAgreement {
    /// The metrics that asked; several where they are taken together.
    pub metrics: Vec<String>,
    /// Whose answers.
    pub compared: Compared,
    /// What the answers are.
    pub scale: AnswerScale,
    /// The judges in order; one where its own votes are compared.
    pub judges: Vec<String>,
    /// Questions with at least two answers.
    pub questions: u32,
    /// Answers to all questions.
    pub answers: u32,
    /// Answers that failed or were not given.
    pub missing: u32,
    /// Share (0 to 1) of equal pairs among all pairs of answers to the same question.
    pub percent: Figure,
    /// Cohen's kappa of each pair of judges; empty where votes are compared.
    pub cohen: Vec<PairKappa>,
    /// Fleiss' kappa, for three judges or votes and more.
    pub fleiss: Figure,
    /// Krippendorff's alpha.
    pub krippendorff: Figure,
}
