//! Runs that are a part of something larger, and so no run of the pack's tasks to look at by
//! itself.

use koab_core::run_record::RunSpec;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a run was made for, where it has the tasks that this asked for and not the pack's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
#[serde(rename_all = "snake_case")]
pub enum RunPart {
    /// An adaptive run, which chose tasks by how much they tell of the model.
    Adaptive,
    /// A gate, which tried tasks as often as its question needed.
    Gate,
}

impl RunPart {
    /// In front of the number of a gate's run.
    pub const GATE: &str = "gate";

    /// What a run was made for, by its own file.
    pub fn from_spec(spec: &RunSpec) -> Option<Self> {
        if spec.adaptive {
            return Some(Self::Adaptive);
        }
        let number = spec.run.strip_prefix(Self::GATE)?.strip_prefix('-')?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then_some(Self::Gate)
    }
}
