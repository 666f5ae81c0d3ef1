//! Reason for the end of an attempt.

use serde::{Deserialize, Serialize};

/// Reason for the end of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The model answered without calling a tool.
    Answered,
    /// The model's last answer was cut off at the output limit, and the protocol does not accept
    /// such an answer.
    CutOff,
    /// The step limit was reached.
    StepLimit,
    /// The task's time limit passed.
    TimedOut,
    /// The model could not be reached or answered with an error.
    ModelFailed,
    /// The agent ended without an answer or reported a failure.
    AgentFailed,
    /// The next model call might have exceeded a cap on the run's cost or tokens.
    BudgetSpent,
    /// The user cancelled the run.
    Cancelled,
}

impl StopReason {
    /// Whether the attempt ended for a technical reason, so that it gives no information about the
    /// model's skill.
    pub fn is_technical(self) -> bool {
        matches!(self, StopReason::TimedOut | StopReason::ModelFailed | StopReason::BudgetSpent)
    }
}
