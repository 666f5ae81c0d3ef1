//! The socket of an attempt's container, which leads to the run's listener and nowhere else.
//!
//! Each attempt has its own socket, so that koab knows which attempt requested a host.

use crate::proxy::HostLog;
use koab_core::sentence::Sentence;
use koab_scenarios::relay::Relay;
use tokio_util::sync::DropGuard;

/// Maximum number of simultaneous connections of one attempt. The limit prevents an attempt from
/// using all connections of the run's listener.
#[cfg_attr(not(unix), expect(dead_code, reason = "there are no such sockets"))]
const PLACES: usize = 64;

/// An open socket of an attempt. The socket is closed when this value is dropped.
pub(crate) struct AttemptSocket {
    relay: Relay,
    asked: HostLog,
    _ends: DropGuard,
}

impl AttemptSocket {
    /// Relay to the socket, for the container.
    pub(crate) fn relay(&self) -> &Relay {
        &self.relay
    }

    /// Hosts that were requested through the socket and not reached.
    pub(crate) fn host_log(&self) -> &HostLog {
        &self.asked
    }
}

#[cfg(unix)]
impl crate::proxy::Listener for tokio::net::UnixListener {
    type Stream = tokio::net::UnixStream;

    async fn next(&self) -> std::io::Result<Self::Stream> {
        self.accept().await.map(|(stream, _)| stream)
    }
}

#[cfg(unix)]
impl AttemptSocket {
    /// Opens a socket that leads to this port of the run's listener.
    ///
    /// # Errors
    /// When the system refuses the socket.
    pub(crate) fn open(port: u16) -> Result<Self, Sentence> {
        use crate::proxy::{Route, pass_on};
        use koab_core::say;
        use std::os::unix::fs::PermissionsExt as _;

        let to_error = |error: std::io::Error| {
            say!("the socket from the agent's container to its run cannot be opened: {error}")
        };
        let relay = Relay::new().map_err(to_error)?;
        let listener = tokio::net::UnixListener::bind(relay.socket()).map_err(to_error)?;
        // The agent runs as another user than koab, and only its container sees the folder.
        std::fs::set_permissions(relay.socket(), std::fs::Permissions::from_mode(0o666)).map_err(to_error)?;
        let (_, known_as) = Relay::address()
            .rsplit_once(':')
            .map_or((0, 0), |(_, port)| (0, port.parse().unwrap_or_default()));
        let ours = Route { port, known_as, is_socket: true };
        let (requests, ends) = pass_on(listener, PLACES, ours);
        Ok(Self { relay, asked: requests, _ends: ends })
    }
}

#[cfg(not(unix))]
impl AttemptSocket {
    /// Returns an error, because this system has no Unix sockets and no engine that supports them.
    pub(crate) fn open(_: u16) -> Result<Self, Sentence> {
        Err(elsewhere())
    }
}

/// Error on systems without Unix sockets. The function is compiled on all systems, so that the
/// translation of its message is checked everywhere.
#[cfg_attr(unix, expect(dead_code, reason = "said on other systems"))]
fn elsewhere() -> Sentence {
    koab_core::say!("agents run in containers on Linux only")
}
