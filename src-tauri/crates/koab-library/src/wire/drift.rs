//! A run's tool calls compared with other cached responses.

use super::Exact;
use koab_core::changes::ValueChanges;
use koab_core::level::Level;
use koab_core::sentence::Sentence;
use koab_packs::wire::StateView;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Comparison of a call's result in the run with its cached response now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum CallDriftKind {
    /// The result in the run equals the cached response.
    Same,
    /// The result in the run differs from the cached response.
    Differs,
    /// The run had a result, but no cached response answers the call now.
    Missing,
    /// The run had no cached response, but a cached response answers the call now.
    Found,
    /// Neither the run nor the compared state of the cache has a cached response.
    StillMissing,
    /// The call failed in the run, because the service failed or the call was faulty.
    ErrorThen,
    /// The task injected a failure into the call, so cached responses do not matter.
    Injected,
    /// The files of the run do not contain the result.
    NotKept,
}

/// Numbers of calls by kind of drift.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DriftTotals {
    /// Number of all calls.
    pub calls: u32,
    /// Number of calls with the same result.
    pub same: u32,
    /// Number of calls with another result.
    pub differs: u32,
    /// Number of calls that had a result and have no cached response now.
    pub missing: u32,
    /// Number of calls that had no cached response and have one now.
    pub found: u32,
    /// Number of calls without a cached response, in the run and now.
    pub still_missing: u32,
    /// Number of calls that failed in the run.
    pub error_then: u32,
    /// Number of calls with an injected failure.
    pub injected: u32,
    /// Number of calls whose result the run's files do not contain.
    pub not_kept: u32,
}

impl DriftTotals {
    /// Adds a call of this kind to the numbers.
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

/// One call of a run, compared with its cached response.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CallDrift {
    /// 0-based index among the attempt's calls.
    pub call: u32,
    /// 1-based step; null if the log does not contain the step.
    pub step: Option<u32>,
    /// Tool name as the model wrote it.
    pub tool: String,
    /// Arguments as the model gave them.
    #[ts(type = "unknown")]
    pub arguments: Exact,
    /// Outcome of the comparison.
    pub kind: CallDriftKind,
    /// The error message that the model received in place of a result.
    pub error: Option<String>,
    /// Reason why no cached response answers the call now; null if one answers it.
    pub reason: Option<Sentence>,
    /// Time at which the cached response was recorded, UTC; null if no cached response answers the
    /// call.
    pub recorded_at: Option<String>,
    /// Origin of the live call that the cached response comes from, such as `run <id>` or
    /// `fill <run id>`; null for the pack's own cached responses.
    pub origin: Option<String>,
    /// Places where the two results differ.
    pub places: Option<ValueChanges>,
}

/// The compared calls of one attempt.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskDrift {
    /// Task id.
    pub task: String,
    /// Level of the task.
    pub level: Level,
    /// 1-based repetition.
    pub repetition: u32,
    /// Numbers of the attempt's calls.
    pub totals: DriftTotals,
    /// The attempt's calls in order.
    pub calls: Vec<CallDrift>,
}

/// Numbers of the calls to one tool.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ToolDrift {
    /// Tool name as models wrote it.
    pub tool: String,
    /// Numbers of the calls to the tool.
    pub totals: DriftTotals,
}

/// A run's tool calls compared with a state of cached responses.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunDrift {
    /// Run id.
    pub run: String,
    /// Pack of the run, `name@version`; null when the run does not record it.
    pub pack: Option<String>,
    /// The state of cached responses that the run is compared with.
    pub against: StateView,
    /// Numbers of all calls.
    pub totals: DriftTotals,
    /// One entry per tool, ordered by name.
    pub tools: Vec<ToolDrift>,
    /// One entry per attempt, in the order of levels and tasks. Attempts without a call are left
    /// out.
    pub tasks: Vec<TaskDrift>,
}
