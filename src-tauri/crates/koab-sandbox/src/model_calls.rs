//! The model that a trial may call without a key of its own: where such calls go is the product's
//! matter, not the executor's, so it is a port here.

use koab_core::sentence::Sentence;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::environment::Environment;
use crate::layout::TrialId;
use crate::relay::Relay;

/// What a trial's calls to the offered model came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "ScenarioModelCalls"))]
pub struct ModelCalls {
    /// The model.
    pub model: String,
    /// Calls, those without an answer included.
    pub count: u32,
    /// Calls that got no answer of a model.
    pub failed: u32,
    /// Calls that were answered from a record of an earlier trial.
    pub replayed: u32,
    /// Prompt tokens, as far as the server reported them.
    pub input_tokens: u64,
    /// Completion tokens, likewise.
    pub output_tokens: u64,
    /// USD; `null` when nothing of it is known.
    pub cost_usd: Option<f64>,
    /// Why there is no cost, or why tokens and cost are lower bounds.
    pub note: Option<Sentence>,
}

/// Offers a model to trials.
#[async_trait::async_trait]
pub trait OfferedModel: Send + Sync {
    /// Puts what a trial needs to call the model into its environment. Called before the trial
    /// starts.
    ///
    /// # Errors
    /// One sentence; the trial does not start then.
    async fn offer(&self, trial: &TrialId, environment: &mut Environment) -> Result<(), Sentence>;

    /// Takes the offer back once the trial has ended, puts the record of its calls into its folder
    /// and says what they came to. Called once for each offer, whatever happened.
    async fn take_back(&self, trial: &TrialId, folder: &Path) -> Option<ModelCalls>;

    /// The way to the model for containers that no network leads there from. `None` where one does.
    fn relay(&self) -> Option<&Relay>;
}
