//! What a call passes before it goes out: the server's limiter and the run's budget.

use crate::budget::Budget;
use crate::limiter::Limiter;
use std::sync::Arc;

/// The way to one server.
pub struct CallLimits {
    /// Shared by all who ask this server with this key.
    pub limiter: Arc<Limiter>,
    /// The run's own.
    pub budget: Arc<Budget>,
}
