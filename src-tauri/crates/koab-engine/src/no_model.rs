//! The model of a run without model calls.

use crate::call_limits::CallLimits;
use crate::ports::{ModelAdapter, ModelError, ModelReply, ModelRequest};
use async_trait::async_trait;
use koab_core::say;

/// The model of a run that only merges shards made elsewhere. Its limits contain the run's
/// spending.
pub struct NoModel(pub Option<CallLimits>);

#[async_trait]
impl ModelAdapter for NoModel {
    async fn complete(&self, _: ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        Err(ModelError::Embedded(say!("no model is called here")))
    }

    fn limits(&self) -> Option<&CallLimits> {
        self.0.as_ref()
    }
}
