//! Network of the tests of this crate.

use crate::http::{Network, Proxy};

/// A network without a workspace, which refuses and logs nothing.
pub(crate) fn network() -> Network {
    Network::new(koab_stand_ins::gate(), Proxy::System)
}
