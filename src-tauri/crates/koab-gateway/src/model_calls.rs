//! Sum of the calls of one trial.

use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Sum of a trial's calls to the offered model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export, rename = "ScenarioModelCalls")]
pub struct ModelCalls {
    /// Id of the model.
    pub model: String,
    /// Number of calls, including those without an answer.
    pub count: u32,
    /// Number of calls that no model answered.
    pub failed: u32,
    /// Number of calls that were answered from the record of an earlier trial.
    pub replayed: u32,
    /// Prompt tokens, as far as the server reported them.
    pub input_tokens: u64,
    /// Completion tokens, as far as the server reported them.
    pub output_tokens: u64,
    /// Cost in USD; `null` when it is not known at all.
    pub cost_usd: Option<f64>,
    /// Reason why the cost is unknown, or why tokens and cost are lower bounds.
    pub note: Option<Sentence>,
}
