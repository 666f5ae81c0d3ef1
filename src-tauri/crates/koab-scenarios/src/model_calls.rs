//! Port for the model that a trial may call without a key of its own. The product implements the
//! port, and the executor only uses it.

use koab_core::sentence::Sentence;
use koab_gateway::ModelCalls;
use std::path::Path;

use crate::environment::Environment;
use crate::layout::TrialId;
use crate::relay::Relay;

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
