//! A port for an agent's server, which is told where to listen before it starts.

use koab_core::say;
use koab_core::sentence::Sentence;
use std::net::{Ipv4Addr, TcpListener};
use std::ops::Range;

/// Below the ports that systems give to outgoing connections: none of those takes one before the
/// server does.
const PORTS: Range<u16> = 20_000..26_000;
/// As many ports above those, one for each: whoever listens there has the lower one.
const KEPT_ABOVE: u16 = PORTS.end - PORTS.start;

/// A port that nobody listens on, and that no other koab of this computer gives to a server as long
/// as this is there. Two servers that were told the same one would be asked each other's tasks.
pub(crate) struct ServerPort {
    pub(crate) number: u16,
    _kept: TcpListener,
}

impl ServerPort {
    /// Takes one.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) fn take() -> Result<Self, Sentence> {
        let none = |error: std::io::Error| say!("no port is free for the agent's server: {error}");
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|free| free.local_addr());
        // Where the search begins differs each time.
        let begin = free.map_err(none)?.port();
        let mut last = None;
        for step in 0..KEPT_ABOVE {
            let number = PORTS.start + begin.wrapping_add(step) % KEPT_ABOVE;
            let kept = TcpListener::bind((Ipv4Addr::LOCALHOST, number + KEPT_ABOVE));
            match kept.and_then(|kept| TcpListener::bind((Ipv4Addr::LOCALHOST, number)).map(|_| kept)) {
                Ok(kept) => {
                    return Ok(Self { number, _kept: kept });
                }
                Err(error) => last = Some(error),
            }
        }
        Err(none(last.unwrap_or_else(|| std::io::ErrorKind::AddrInUse.into())))
    }
}

#[cfg(test)]
mod tests;
