//! Limits on a call before it is sent: the server's limiter and the run's budget.

use crate::budget::Budget;
use crate::limiter::Limiter;
use std::sync::Arc;

/// Limits on the calls to one server.
pub struct CallLimits {
    /// Limiter of this server and key, shared by all callers.
    pub limiter: Arc<Limiter>,
    /// Budget of the run.
    pub budget: Arc<Budget>,
}
