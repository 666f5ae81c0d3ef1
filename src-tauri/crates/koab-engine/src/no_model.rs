//! The model of a run that asks nobody.

use crate::gate::Gate;
use crate::ports::{ModelAdapter, ModelError, ModelReply, ModelRequest};
use async_trait::async_trait;
use koab_core::say;

/// Stands where a run is only put together from what was made elsewhere; with what the run has spent.
pub struct NoModel(pub Option<Gate>);

#[async_trait]
impl ModelAdapter for NoModel {
    async fn complete(&self, _: ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        Err(ModelError::Embedded(say!("nobody is asked")))
    }

    fn gate(&self) -> Option<&Gate> {
        self.0.as_ref()
    }
}
