//! Limits on a call before it is sent: the server's limiter and the run's budget.

use crate::budget::Budget;
use crate::limiter::Limiter;
use std::sync::Arc;

/// Limits on the calls to one server.
pub struct CallLimits {
    /// Limiter shared by all callers of this server with this key.
    pub limiter: Arc<Limiter>,
    /// Budget of the run.
    pub budget: Arc<Budget>,
}
