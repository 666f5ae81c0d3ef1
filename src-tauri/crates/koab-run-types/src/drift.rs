//! A run's tool calls compared with other cached responses.

use super::Exact;
use super::StateView;
use koab_core::changes::ValueChanges;
use koab_core::level::Level;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The outcome of the answer to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum CallDriftKind {
    /// The same result.
    Same,
    /// Another result.
    Differs,
    /// There was a result, and now there is none.
    Missing,
    /// There was no cached response, and now there is one.
    Found,
    /// There was no cached response, and there is none now.
    StillMissing,
    /// The call failed then: at the service, or because it was faulty.
    ErrorThen,
    /// The task injected a failure, whatever is recorded.
    Injected,
    /// The run does not keep the result.
    NotKept,
}

/// Calls, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DriftTotals {
    /// All of them.
    pub calls: u32,
    /// The same result.
    pub same: u32,
    /// Another result.
    pub differs: u32,
    /// There was a result, and now there is none.
    pub missing: u32,
    /// There was no cached response, and now there is one.
    pub found: u32,
    /// There was no cached response, and there is none now.
    pub still_missing: u32,
    /// The call failed then.
    pub error_then: u32,
    /// The task injected a failure.
    pub injected: u32,
    /// The run does not keep the result.
    pub not_kept: u32,
}

impl DriftTotals {
    /// Counts a call.
    pub fn count(&mut self, kind: CallDriftKind) {
        self.calls += 1;
        *match kind {
            CallDriftKind::Same => &mut self.same,
            CallDriftKind::Differs => &mut self.differs,
            CallDriftKind::Missing => &mut self.missing,
            CallDriftKind::Found => &mut self.found,
            CallDriftKind::StillMissing => &mut self.still_missing,
            CallDriftKind::ErrorThen => &mut self.error_then,
            CallDriftKind::Injected => &mut self.injected,
            CallDriftKind::NotKept => &mut self.not_kept,
        } += 1;
    }
}

/// One call of a run beside what is recorded for it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CallDrift {
    /// Its place among the attempt's calls, from 0.
    pub call: u32,
    /// 1-based step; null where the log does not say.
    pub step: Option<u32>,
    /// Tool as the model wrote it.
    pub tool: String,
    /// Arguments as the model gave them.
    #[ts(type = "unknown")]
    pub arguments: Exact,
    /// The outcome of its answer.
    pub kind: CallDriftKind,
    /// What the model was told then, when it got no result.
    pub error: Option<String>,
    /// Why there is no result now, when there is none.
    pub reason: Option<Sentence>,
    /// When what is recorded for it was recorded, UTC; null when nothing is.
    pub recorded_at: Option<String>,
    /// Who asked the live API for that; null for a pack's own records.
    pub origin: Option<String>,
    /// Where the results differ.
    pub places: Option<ValueChanges>,
}

/// The calls of one attempt.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskDrift {
    /// Task id.
    pub task: String,
    /// Its level.
    pub level: Level,
    /// 1-based repetition.
    pub repetition: u32,
    /// Its calls, counted.
    pub totals: DriftTotals,
    /// Its calls in order.
    pub calls: Vec<CallDrift>,
}

/// Calls to one tool, counted.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ToolDrift {
    /// Tool as models wrote it.
    pub tool: String,
    /// Calls to it.
    pub totals: DriftTotals,
}

/// A run's tool calls compared with a state of cached responses.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunDrift {
    /// Run id.
    pub run: String,
    /// `name@version` of the pack that the run was made with; null when it does not say.
    pub pack: Option<String>,
    /// What it is compared with.
    pub against: StateView,
    /// All calls.
    pub totals: DriftTotals,
    /// By tool, in the order of their names.
    pub tools: Vec<ToolDrift>,
    /// By attempt, in the order of levels and tasks; attempts without a call are left out.
    pub tasks: Vec<TaskDrift>,
}
