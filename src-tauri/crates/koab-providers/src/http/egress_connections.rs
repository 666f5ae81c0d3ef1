//! Checks a client's connections, including its DNS look-ups, against the egress gate.
//!
//! Every request asks the gate before it is sent. This layer adds the check for libraries that send
//! requests themselves with one of this crate's clients.

use koab_engine::egress::{Gate, Purpose};
use std::error::Error;
use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tower_layer::Layer;
use tower_service::Service;

type Fault = Box<dyn Error + Send + Sync>;

/// Layer that lets a client connect to its one host while the gate allows it.
#[derive(Clone)]
pub(super) struct EgressConnections {
    gate: Gate,
    host: Arc<str>,
    purpose: Purpose,
}

impl EgressConnections {
    pub(super) fn new(gate: Gate, host: String, purpose: Purpose) -> Self {
        Self { gate, host: host.into(), purpose }
    }
}

impl<S> Layer<S> for EgressConnections {
    type Service = EgressService<S>;

    fn layer(&self, connections: S) -> EgressService<S> {
        EgressService { allowed: self.clone(), connections }
    }
}

/// Connector behind the egress gate.
#[derive(Clone)]
pub(super) struct EgressService<S> {
    allowed: EgressConnections,
    connections: S,
}

impl<S, Target> Service<Target> for EgressService<S>
where
    S: Service<Target, Error = Fault>,
    S::Response: Send + 'static,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = Fault;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, Fault>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Fault>> {
        self.connections.poll_ready(context)
    }

    fn call(&mut self, target: Target) -> Self::Future {
        match self.allowed.gate.may_reach(&self.allowed.host, self.allowed.purpose) {
            Ok(()) => Box::pin(self.connections.call(target)),
            Err(offline) => Box::pin(ready(Err(offline.into()))),
        }
    }
}
