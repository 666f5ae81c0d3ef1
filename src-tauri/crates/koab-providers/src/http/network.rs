//! Network of a workspace. Every client of this crate is built with one.

use crate::http::Proxy;
use koab_engine::egress::Gate;

/// Gate and proxy of a workspace's requests.
///
/// The proxy is the one at the time when the value was made: clients that are open keep it.
#[derive(Clone, Debug)]
pub struct Network {
    gate: Gate,
    proxy: Proxy,
}

impl Network {
    /// Network behind this gate and proxy.
    pub fn new(gate: Gate, proxy: Proxy) -> Self {
        Self { gate, proxy }
    }

    /// Gate that each request passes.
    pub fn gate(&self) -> &Gate {
        &self.gate
    }

    /// Proxy of requests to other computers.
    pub(crate) fn proxy(&self) -> &Proxy {
        &self.proxy
    }
}
