//! Runs that are a part of a larger measurement, and so not a run of the pack's tasks in their own
//! right.

use koab_core::run_record::RunSpec;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The measurement that a run belongs to, for a run of the measurement's tasks instead of the
/// pack's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
#[serde(rename_all = "snake_case")]
pub enum RunPart {
    /// An adaptive run, which chose the tasks that are most informative about the model.
    Adaptive,
    /// A gate, which repeated tasks as often as its test needed.
    Gate,
}

impl RunPart {
    /// First part of the run id of a gate's run; a number follows.
    pub const GATE: &str = "gate";

    /// Reads the measurement from the run's own file.
    pub fn from_spec(spec: &RunSpec) -> Option<Self> {
        if spec.adaptive {
            return Some(Self::Adaptive);
        }
        let number = spec.run.strip_prefix(Self::GATE)?.strip_prefix('-')?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then_some(Self::Gate)
    }
}
