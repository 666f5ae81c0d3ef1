//! A verdict in a bundle, with the hash of the question that it answers.

use koab_core::judge::{Answer, Verdict};
use koab_core::level::Level;
use koab_core::score::MetricId;
use serde::{Deserialize, Serialize};

/// A line of `verdicts/<scorer>.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerdictLine {
    /// Level of the task.
    pub level: Level,
    /// Task id.
    pub task: String,
    /// Metric that the question belongs to.
    pub metric: MetricId,
    /// SHA-256 of the question ([`koab_core::judge::JudgeQuestion::hash`]).
    pub question: String,
    /// Model id of the judge.
    pub judge: String,
    /// Number of the judge's vote on this question, from 1.
    pub vote: usize,
    /// The answer, or the reason why it is missing.
    pub answer: Answer,
}

impl VerdictLine {
    pub(super) fn verdict(&self) -> Verdict {
        Verdict { judge: self.judge.clone(), metric: self.metric, answer: self.answer.clone() }
    }
}
