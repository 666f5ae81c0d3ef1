//! Port for the model that a trial may call without a key of its own. The product implements the
//! port, and the executor only uses it.

use koab_core::sentence::Sentence;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::environment::Environment;
use crate::layout::TrialId;
use crate::relay::Relay;

/// Sum of a trial's calls to the offered model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "ScenarioModelCalls"))]
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

/// A model that is offered to trials.
#[async_trait::async_trait]
pub trait OfferedModel: Send + Sync {
    /// Adds the settings for calling the model to a trial's environment. Called before the trial
    /// starts.
    ///
    /// # Errors
    /// When the model cannot be offered. The trial then does not start.
    async fn offer(&self, trial: &TrialId, environment: &mut Environment) -> Result<(), Sentence>;

    /// Ends the offer after the trial. Moves the record of the calls into the trial's folder, and
    /// returns the sum of the calls.
    ///
    /// Called once for each offer in any case.
    async fn take_back(&self, trial: &TrialId, folder: &Path) -> Option<ModelCalls>;

    /// Relay to the model, for containers that cannot reach the model over a network; `None` when
    /// they can.
    fn relay(&self) -> Option<&Relay>;
}
