//! Runs that belong to a larger measurement, such as a gate: a test of whether a change made a
//! model worse, which makes several runs. They are not complete runs of a pack's tasks.

use koab_core::run_record::RunSpec;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The larger measurement that made a run and chose its tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
#[serde(rename_all = "snake_case")]
pub enum RunPart {
    /// An adaptive run, which chose the tasks that are most informative about the model.
    Adaptive,
    /// A gate, which tested a model against a baseline and repeated tasks as often as the test
    /// needed.
    Gate,
}

impl RunPart {
    /// First part of the request's run id of a run that a gate makes. A hyphen and a number follow.
    pub const GATE: &str = "gate";

    /// Reads the measurement from the settings in the run's own file.
    pub fn from_spec(spec: &RunSpec) -> Option<Self> {
        if spec.adaptive {
            return Some(Self::Adaptive);
        }
        let number = spec.run.strip_prefix(Self::GATE)?.strip_prefix('-')?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then_some(Self::Gate)
    }
}
