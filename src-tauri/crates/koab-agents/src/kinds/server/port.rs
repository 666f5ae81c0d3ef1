//! Ports for agents' servers, which are chosen before the servers start.

use koab_core::say;
use koab_core::sentence::Sentence;
use std::net::{Ipv4Addr, TcpListener};
use std::ops::Range;

/// Ports for servers. They are below the ports that systems give to outgoing connections, so that
/// no connection takes one before the server does.
const PORTS: Range<u16> = 20_000..26_000;
/// Number of these ports, and distance to the port that reserves one. The process that listens on
/// the upper port owns the lower one.
const PORT_COUNT: u16 = PORTS.end - PORTS.start;

/// A free port that no other koab of this computer gives to a server while this value exists. Two
/// servers with the same port would be asked each other's tasks.
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
