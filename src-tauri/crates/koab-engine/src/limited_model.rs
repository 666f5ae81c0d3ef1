//! A model with limits on its calls. Its server may change while calls are made.
//!
//! The type only stores the limits, and `turn` applies them. If a model has several wrappers, this
//! one must be the outermost.

use crate::call_limits::CallLimits;
use crate::ports::{ModelAdapter, ModelError, ModelReply, ModelRequest, ServerCheck};
use async_trait::async_trait;
use std::sync::{Arc, PoisonError, RwLock};

/// A model with limits on its calls.
pub struct LimitedModel {
    model: RwLock<Arc<dyn ModelAdapter>>,
    limits: CallLimits,
}

impl LimitedModel {
    /// Adds limits to a model.
    pub fn new(model: Arc<dyn ModelAdapter>, limits: CallLimits) -> Self {
        Self { model: RwLock::new(model), limits }
    }

    fn model(&self) -> Arc<dyn ModelAdapter> {
        Arc::clone(&self.model.read().unwrap_or_else(PoisonError::into_inner))
    }
}

#[async_trait]
impl ModelAdapter for LimitedModel {
    async fn complete(&self, request: ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        self.model().complete(request).await
    }

    async fn check(&self) -> Result<(), ModelError> {
        self.model().check().await
    }

    async fn models(&self) -> Result<Option<Vec<String>>, ModelError> {
        self.model().models().await
    }

    async fn check_server(&self) -> Result<ServerCheck, ModelError> {
        self.model().check_server().await
    }

    fn own_limit(&self) -> Option<u32> {
        self.model().own_limit()
    }

    fn most_output(&self, request: &ModelRequest<'_>) -> u32 {
        self.model().most_output(request)
    }

    fn limits(&self) -> Option<&CallLimits> {
        Some(&self.limits)
    }

    fn move_to(&self, other: Arc<dyn ModelAdapter>) -> bool {
        *self.model.write().unwrap_or_else(PoisonError::into_inner) = other;
        true
    }
}
