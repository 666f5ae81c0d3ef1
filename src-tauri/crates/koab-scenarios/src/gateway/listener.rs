//! Where the gateway listens: on addresses of this computer, never all of them, or on a socket in
//! its file system.

use koab_core::say;
use koab_core::sentence::Sentence;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::pin::Pin;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
#[cfg(unix)]
use tokio::net::UnixListener;

/// How often free ports are tried until one is free on all addresses.
const PORTS: usize = 16;

/// One place that is listened on.
pub(super) enum Listener {
    /// An address.
    Tcp(TcpListener),
    /// A socket.
    #[cfg(unix)]
    Socket(UnixListener),
}

/// A caller's connection, wherever it came in.
pub(super) type Stream = Pin<Box<dyn Duplex>>;

/// What a connection can do.
pub(super) trait Duplex: AsyncRead + AsyncWrite + Send {}

impl<S: AsyncRead + AsyncWrite + Send> Duplex for S {}

impl Listener {
    /// Listens on a socket that is not there yet, for every user who reaches its folder.
    ///
    /// # Errors
    /// One sentence, when the system refuses.
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

    /// Refuses: there are no such sockets here.
    #[cfg(not(unix))]
    pub(super) fn at(socket: &Path) -> Result<Self, Sentence> {
        Err(say!("{} cannot be listened on: this system has no such sockets", socket.display()))
    }

    /// The next caller.
    pub(super) async fn accept(&self) -> std::io::Result<Stream> {
        Ok(match self {
            Self::Tcp(listener) => Box::pin(listener.accept().await?.0),
            #[cfg(unix)]
            Self::Socket(listener) => Box::pin(listener.accept().await?.0),
        })
    }
}

/// Listens on one free port of all these addresses. Those that this computer does not have are left
/// out.
///
/// # Errors
/// One sentence, when none is left or the system refuses.
pub(super) async fn listen(addresses: &[IpAddr]) -> Result<Vec<TcpListener>, Sentence> {
    let mut why = say!("no address is named");
    'ports: for _ in 0..PORTS {
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

/// The addresses of listeners.
pub(super) fn addresses(listeners: &[TcpListener]) -> std::io::Result<Vec<SocketAddr>> {
    listeners.iter().map(TcpListener::local_addr).collect()
}
