//! A model with limits on its calls.
//!
//! The type only stores the limits, and `turn` applies them. If a model has several wrappers, this
//! one must be the outermost.

use crate::call_limits::CallLimits;
use crate::ports::{ModelAdapter, ModelError, ModelReply, ModelRequest};
use async_trait::async_trait;
use std::sync::Arc;

/// A model with limits on its calls.
pub struct LimitedModel {
    model: Arc<dyn ModelAdapter>,
    limits: CallLimits,
}

impl LimitedModel {
    /// Adds limits to a model.
    pub fn new(model: Arc<dyn ModelAdapter>, limits: CallLimits) -> Self {
        Self { model, limits }
    }
}

#[async_trait]
impl ModelAdapter for LimitedModel {
    async fn complete(&self, request: ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        self.model.complete(request).await
    }

    async fn check(&self) -> Result<(), ModelError> {
        self.model.check().await
    }

    async fn models(&self) -> Result<Option<Vec<String>>, ModelError> {
        self.model.models().await
    }

    fn own_limit(&self) -> Option<u32> {
        self.model.own_limit()
    }

    fn most_output(&self, request: &ModelRequest<'_>) -> u32 {
        self.model.most_output(request)
    }

    fn limits(&self) -> Option<&CallLimits> {
        Some(&self.limits)
    }
}
