//! Ports for agents' servers. koab chooses a port before it starts a server.

use koab_core::say;
use koab_core::sentence::Sentence;
use std::net::{Ipv4Addr, TcpListener};
use std::ops::Range;

/// Range of ports for servers. It is below the range that systems use for outgoing connections, so
/// that such a connection does not take the port first.
const PORTS: Range<u16> = 20_000..26_000;
/// Number of ports for servers. A process reserves a port by listening on the port with a number
/// that is greater by this constant.
const PORT_COUNT: u16 = PORTS.end - PORTS.start;

/// A free port for a server. No other koab process on this computer uses the port while this value
/// exists.
///
/// If two servers had the same port, each could receive tasks of the other.
pub(crate) struct ServerPort {
    pub(crate) number: u16,
    _kept: TcpListener,
}

impl ServerPort {
    /// Takes a free port.
    ///
    /// # Errors
    /// When no port is free.
    pub(crate) fn take() -> Result<Self, Sentence> {
        let none = |error: std::io::Error| say!("no port is free for the agent's server: {error}");
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|free| free.local_addr());
        // The search begins at another port each time.
        let begin = free.map_err(none)?.port();
        let mut last = None;
        for step in 0..PORT_COUNT {
            let number = PORTS.start + begin.wrapping_add(step) % PORT_COUNT;
            let reservation = TcpListener::bind((Ipv4Addr::LOCALHOST, number + PORT_COUNT));
            match reservation
                .and_then(|reservation| TcpListener::bind((Ipv4Addr::LOCALHOST, number)).map(|_| reservation))
            {
                Ok(reservation) => {
                    return Ok(Self { number, _kept: reservation });
                }
                Err(error) => last = Some(error),
            }
        }
        Err(none(last.unwrap_or_else(|| std::io::ErrorKind::AddrInUse.into())))
    }
}

#[cfg(test)]
mod tests;
