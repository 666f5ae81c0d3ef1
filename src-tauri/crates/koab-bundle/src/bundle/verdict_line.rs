//! A verdict as a bundle holds it, with the hash of the question that it answers.

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
    /// The task.
    pub task: String,
    /// The metric that asked.
    pub metric: MetricId,
    /// SHA-256 of the question ([`koab_core::judge::JudgeQuestion::hash`]).
    pub question: String,
    /// The judge's model id.
    pub judge: String,
    /// 1-based vote of the judge on this question.
    pub vote: usize,
    /// The answer, or why there is none.
    pub answer: Answer,
}

impl VerdictLine {
    pub(super) fn verdict(&self) -> Verdict {
        Verdict { judge: self.judge.clone(), metric: self.metric, answer: self.answer.clone() }
    }
}
