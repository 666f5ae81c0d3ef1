//! Listeners of the gateway: either on some addresses of this computer, never on all, or on a Unix
//! socket.

use koab_core::say;
use koab_core::sentence::Sentence;
use koab_mcp::connections::{Accept, Stream};
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use tokio::net::TcpListener;
#[cfg(unix)]
use tokio::net::UnixListener;

/// Number of free ports that are tried until one is free on all addresses.
const PORT_ATTEMPTS: usize = 16;

/// One listener of the gateway.
pub(super) enum Listener {
    /// Listener on an address.
    Tcp(TcpListener),
    /// Listener on a Unix socket.
    #[cfg(unix)]
    Socket(UnixListener),
}

impl Listener {
    /// Creates a socket and listens on it. Every user who can open the socket's folder can connect.
    ///
    /// # Errors
    /// When the system refuses.
    #[cfg(unix)]
    pub(super) fn at(socket: &Path) -> Result<Self, Sentence> {
        use std::os::unix::fs::PermissionsExt as _;
        let open = |socket: &Path| {
            let listener = UnixListener::bind(socket)?;
            std::fs::set_permissions(socket, std::fs::Permissions::from_mode(0o666))?;
            Ok(Self::Socket(listener))
        };
        open(socket)
            .map_err(|error: std::io::Error| say!("{} cannot be listened on: {error}", socket.display()))
    }

    /// Fails: this system has no Unix sockets.
    #[cfg(not(unix))]
    pub(super) fn at(socket: &Path) -> Result<Self, Sentence> {
        Err(say!("{} cannot be listened on: this system has no such sockets", socket.display()))
    }
}

impl Accept for Listener {
    async fn accept(&self) -> std::io::Result<Stream> {
        Ok(match self {
            Self::Tcp(listener) => Box::pin(listener.accept().await?.0),
            #[cfg(unix)]
            Self::Socket(listener) => Box::pin(listener.accept().await?.0),
        })
    }
}

/// Listens on one port that is free on all these addresses. Addresses that this computer does not
/// have are skipped.
///
/// # Errors
/// When no address is left or the system refuses.
pub(super) async fn listen(addresses: &[IpAddr]) -> Result<Vec<TcpListener>, Sentence> {
    let mut why = say!("no address is named");
    'ports: for _ in 0..PORT_ATTEMPTS {
        let mut listeners: Vec<TcpListener> = Vec::new();
        for address in addresses {
            let port = match listeners.first() {
                None => 0,
                Some(first) => first.local_addr()?.port(),
            };
            match TcpListener::bind((*address, port)).await {
                Ok(listener) => listeners.push(listener),
                Err(error) => {
                    why = say!("{address} cannot be listened on: {error}");
                    match error.kind() {
                        std::io::ErrorKind::AddrNotAvailable => {}
                        std::io::ErrorKind::AddrInUse => continue 'ports,
                        _ => return Err(why),
                    }
                }
            }
        }
        if !listeners.is_empty() {
            return Ok(listeners);
        }
    }
    Err(why)
}

/// Addresses of the listeners.
pub(super) fn addresses(listeners: &[TcpListener]) -> std::io::Result<Vec<SocketAddr>> {
    listeners.iter().map(TcpListener::local_addr).collect()
}
