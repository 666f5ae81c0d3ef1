//! A proxy that forwards requests only to the run's own listener.
//!
//! Agents that use `HTTPS_PROXY` reach only that listener, and the other hosts that they request
//! are recorded. Some agents send even requests to this computer through the proxy.
//!
//! A container has its own proxy behind its socket, which is the container's only connection to the
//! outside.
//!
//! An agent that ignores the proxy reaches the network. A native run is therefore not contained,
//! and the user is warned.

mod accept;

pub(crate) use accept::Listener;
use accept::accept;

use koab_core::say;
use koab_core::sentence::Sentence;
use std::collections::BTreeSet;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::DropGuard;

/// Maximum size in bytes of the first line of a request. For a tunnel, maximum size of the whole
/// head.
const HEAD: usize = 4096;
/// Time limit for the arrival of a request's head. The limit is long, because programs open
/// connections before they need them.
const HEAD_TIMEOUT: Duration = Duration::from_secs(60);
/// Maximum number of simultaneous connections of all attempts of a run. The run's own listener has
/// the same limit.
const PLACES: usize = 256;
/// Beginning of a request for a tunnel.
const TUNNEL: &[u8] = b"CONNECT ";
/// Maximum number of hosts that are remembered.
const MAX_HOSTS: usize = 100;

/// Hosts that were requested and not reached. Clones share the list.
#[derive(Clone, Default)]
pub(crate) struct HostLog(Arc<Mutex<BTreeSet<String>>>);

impl HostLog {
    pub(crate) fn note(&self, host: String) {
        let mut hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if hosts.len() < MAX_HOSTS {
            hosts.insert(host);
        }
    }

    pub(crate) fn hosts(&self) -> Vec<String> {
        let hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        hosts.iter().cloned().collect()
    }
}

/// Destination of the requests that the proxy forwards.
#[derive(Clone, Copy)]
pub(crate) struct Route {
    /// Port of the run's listener.
    pub(crate) port: u16,
    /// Port under which clients know the listener.
    pub(crate) known_as: u16,
    /// Whether requests without a host are forwarded too. This is the case behind a socket, which
    /// has no other destination.
    pub(crate) is_socket: bool,
}

impl Listener for TcpListener {
    type Stream = TcpStream;

    async fn next(&self) -> std::io::Result<TcpStream> {
        self.accept().await.map(|(stream, _)| stream)
    }
}

/// A running proxy. It ends when this value is dropped.
pub(crate) struct Proxy {
    address: SocketAddr,
    asked: HostLog,
    _ends: DropGuard,
}

impl Proxy {
    /// Starts a proxy that forwards requests to this port of the run's listener.
    ///
    /// # Errors
    /// When no port is free.
    pub(crate) async fn up(port: u16) -> Result<Self, Sentence> {
        let to_error = |error: std::io::Error| say!("no port is free for an agent's proxy: {error}");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(to_error)?;
        let address = listener.local_addr().map_err(to_error)?;
        let ours = Route { port, known_as: port, is_socket: false };
        let (asked, ends) = pass_on(listener, PLACES, ours);
        Ok(Self { address, asked, _ends: ends })
    }

    /// Address of the proxy, as a value for environment variables.
    pub(crate) fn address(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Hosts that were requested so far.
    pub(crate) fn host_log(&self) -> &HostLog {
        &self.asked
    }
}

/// Accepts connections, at most `places` at a time, until the returned guard is dropped. Also
/// returns a list of the hosts that were requested and not reached.
pub(crate) fn pass_on(listener: impl Listener, places: usize, ours: Route) -> (HostLog, DropGuard) {
    let host_log = HostLog::default();
    let noted = host_log.clone();
    let ends = accept(listener, places, move |stream| {
        let noted = noted.clone();
        async move { answer(stream, ours, &noted).await }
    });
    (host_log, ends)
}

/// Forwards a connection if it requests the run's own listener, and refuses it otherwise.
async fn answer(mut stream: impl AsyncRead + AsyncWrite + Unpin, ours: Route, noted: &HostLog) {
    let mut head = Vec::with_capacity(HEAD);
    let beginning = async {
        // The head may arrive in several pieces.
        while head.len() < HEAD && !is_read(&head) {
            let room = (HEAD - head.len()) as u64;
            if (&mut stream).take(room).read_buf(&mut head).await? == 0 {
                break;
            }
        }
        std::io::Result::Ok(())
    };
    if !matches!(tokio::time::timeout(HEAD_TIMEOUT, beginning).await, Ok(Ok(()))) {
        return;
    }
    let head = head.as_slice();
    if is_ours(head, ours) {
        // The connection ends when either side closes it.
        drop(passed(stream, head, ours.port).await);
        return;
    }
    if let Some(host) = host_of(head) {
        noted.note(host);
    }
    let no = b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    // A client that does not read the response is refused anyway.
    drop(stream.write_all(no).await);
}

/// Whether enough of a request was read to know its destination. The head of a tunnel must be
/// complete, because the head itself is not forwarded.
fn is_read(head: &[u8]) -> bool {
    if head.starts_with(TUNNEL) { end_of(head).is_some() } else { head.contains(&b'\n') }
}

/// Position after the end of a request's head.
fn end_of(head: &[u8]) -> Option<usize> {
    head.windows(4).position(|four| four == b"\r\n\r\n").map(|at| at + 4)
}

/// Whether a request to the proxy is for koab's own listener of the run, and not for another
/// computer. `head` is the request line with the headers.
fn is_ours(head: &[u8], ours: Route) -> bool {
    let target = target_of(head).unwrap_or_default();
    if ours.is_socket && target.starts_with('/') {
        return true;
    }
    let bare = target.strip_prefix("http://").unwrap_or(target);
    let place = bare.split('/').next().unwrap_or_default();
    ["127.0.0.1", "localhost"].iter().any(|host| place == format!("{host}:{}", ours.known_as))
}

async fn passed(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    head: &[u8],
    port: u16,
) -> std::io::Result<()> {
    let mut ours = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?;
    if head.starts_with(TUNNEL) {
        // What follows the head belongs to the tunnel.
        let end = end_of(head).unwrap_or(head.len());
        stream.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await?;
        ours.write_all(&head[end..]).await?;
    } else {
        ours.write_all(head).await?;
    }
    copy_bidirectional(&mut stream, &mut ours).await?;
    Ok(())
}

/// Host in the first line of a request, `CONNECT host:port …` or `GET http://host/… …`.
fn host_of(head: &[u8]) -> Option<String> {
    let target = target_of(head)?;
    let bare = target.strip_prefix("http://").unwrap_or(target);
    let host = bare.split(['/', ':', '?']).next()?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    (!host.is_empty() && host.len() < 254 && host.chars().all(is_name)).then(|| host.to_owned())
}

fn target_of(head: &[u8]) -> Option<&str> {
    let line = std::str::from_utf8(head.split(|byte| *byte == b'\r').next()?).ok()?;
    line.split(' ').nth(1)
}

#[cfg(test)]
mod tests;
