//! Scores of single tasks, and their assessment before judges are called.

use crate::judge::{Inputs, Verdict};
use crate::reason::Reason;
use crate::sentence::Sentence;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The score of one task for one metric, or the reason why it is missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Score {
    /// A number, normally from 0 to 1, with details in the layout of the published reports.
    Scored {
        /// The score.
        value: f64,
        /// Details of the score, a JSON object.
        details: Value,
    },
    /// The published metric raises an error here. It counts as 0.0 (leaderboard only).
    Errored {
        /// The error text.
        error: String,
    },
    /// The task has no score, which never counts as 0.
    Unscored {
        /// The reason, a sentence fragment.
        reason: Sentence,
    },
    /// The metric does not apply to the task. The mean leaves the task out.
    NotApplicable {
        /// Details of the score, a JSON object.
        details: Value,
    },
}

impl Score {
    /// Creates a score with its details.
    pub fn scored(value: f64, details: Value) -> Self {
        Score::Scored { value, details }
    }

    /// Creates a missing score with its reason.
    pub fn unscored(reason: Reason) -> Self {
        Score::Unscored { reason: reason.into() }
    }

    /// The number that enters the mean; `None` without a number.
    pub fn value(&self) -> Option<f64> {
        match self {
            Score::Scored { value, .. } => Some(*value),
            Score::Errored { .. } => Some(0.0),
            Score::Unscored { .. } | Score::NotApplicable { .. } => None,
        }
    }
}

/// Result of a metric from the log alone.
#[derive(Clone, Debug, PartialEq)]
pub enum Assessment {
    /// The score is decided without a judge.
    Decided(Score),
    /// A judge has to answer a question that contains the given texts.
    Ask(Inputs),
}

/// Creates a missing score because judges failed. The reason is the first failure.
pub(super) fn unanswered(verdicts: &[&Verdict]) -> Score {
    let failure = verdicts.iter().find_map(|verdict| Some((&verdict.judge, verdict.failure()?)));
    Score::unscored(match failure {
        Some((judge, reason)) => Reason::JudgeFailed { judge: judge.clone(), reason: reason.clone() },
        None => Reason::NoUsableAnswer {},
    })
}
