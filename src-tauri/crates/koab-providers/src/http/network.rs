//! Network of a workspace: its egress gate ([`koab_engine::egress`]), which logs each request to
//! another computer and refuses it while koab is offline, and its proxy.
//!
//! Every client of this crate is built with a network.

use crate::http::Proxy;
use koab_engine::egress::Gate;

/// Egress gate and proxy of a workspace's requests.
///
/// The proxy is the one at the time when the value was made: clients that are open keep it.
#[derive(Clone, Debug)]
pub struct Network {
    gate: Gate,
    proxy: Proxy,
}

impl Network {
    /// Network with this egress gate and this proxy.
    pub fn new(gate: Gate, proxy: Proxy) -> Self {
        Self { gate, proxy }
    }

    /// Egress gate that each request passes.
    pub fn gate(&self) -> &Gate {
        &self.gate
    }

    /// Proxy of requests to other computers.
    pub(crate) fn proxy(&self) -> &Proxy {
        &self.proxy
    }
}
