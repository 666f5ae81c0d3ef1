//! A proxy that leads nowhere: agents that keep to `HTTPS_PROXY` reach nothing but the run's own
//! listener, and what else they asked for is known. Some send even what is for this computer
//! through it.
//!
//! A container has one of its own behind its socket, which is its only way out.
//!
//! Who does not keep to it gets through: a native run is not contained, and says so.

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

/// Bytes of a request's first line at most, and of a tunnel's whole head.
const HEAD: usize = 4096;
/// How long it may take. Programs open connections before they need them.
const TIME: Duration = Duration::from_secs(60);
/// Connections at a time, of all attempts of a run, as the run's own listener has.
const PLACES: usize = 256;
/// How a request for a tunnel begins.
const TUNNEL: &[u8] = b"CONNECT ";
/// Hosts that are kept in mind.
const MOST: usize = 100;

/// Hosts that were asked for and not reached. Clones are the same.
#[derive(Clone, Default)]
pub(crate) struct HostLog(Arc<Mutex<BTreeSet<String>>>);

impl HostLog {
    pub(crate) fn note(&self, host: String) {
        let mut hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if hosts.len() < MOST {
            hosts.insert(host);
        }
    }

    pub(crate) fn hosts(&self) -> Vec<String> {
        let hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        hosts.iter().cloned().collect()
    }
}

/// What is passed on, and where to.
#[derive(Clone, Copy)]
pub(crate) struct Route {
    /// The port of the run's listener.
    pub(crate) port: u16,
    /// The port by which who asks knows it.
    pub(crate) known_as: u16,
    /// Whether what names no host is for it, as behind a socket that leads nowhere else.
    pub(crate) is_socket: bool,
}

impl Listener for TcpListener {
    type Stream = TcpStream;

    async fn next(&self) -> std::io::Result<TcpStream> {
        self.accept().await.map(|(stream, _)| stream)
    }
}

/// The proxy, until this is dropped.
pub(crate) struct Proxy {
    address: SocketAddr,
    asked: HostLog,
    _ends: DropGuard,
}

impl Proxy {
    /// Puts it up, in front of the run's listener on this port.
    ///
    /// # Errors
    /// When no port is free.
    pub(crate) async fn up(port: u16) -> Result<Self, Sentence> {
        let refused = |error: std::io::Error| say!("no port is free for an agent's proxy: {error}");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let ours = Route { port, known_as: port, is_socket: false };
        let (asked, ends) = pass_on(listener, PLACES, ours);
        Ok(Self { address, asked, _ends: ends })
    }

    /// Its address, for variables.
    pub(crate) fn address(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Hosts that were asked for so far.
    pub(crate) fn host_log(&self) -> &HostLog {
        &self.asked
    }
}

/// Takes connections, so many at a time, until the guard is dropped. Also gives the hosts that they
/// ask for in vain.
pub(crate) fn pass_on(listener: impl Listener, places: usize, ours: Route) -> (HostLog, DropGuard) {
    let asked = HostLog::default();
    let noted = asked.clone();
    let ends = accept(listener, places, move |stream| {
        let noted = noted.clone();
        async move { answer(stream, ours, &noted).await }
    });
    (asked, ends)
}

/// Refuses what a connection asks for, unless that is the run's own listener.
async fn answer(mut stream: impl AsyncRead + AsyncWrite + Unpin, ours: Route, noted: &HostLog) {
    let mut head = Vec::with_capacity(HEAD);
    let beginning = async {
        // It comes in the pieces in which whoever asks wrote it.
        while head.len() < HEAD && !is_read(&head) {
            let room = (HEAD - head.len()) as u64;
            if (&mut stream).take(room).read_buf(&mut head).await? == 0 {
                break;
            }
        }
        std::io::Result::Ok(())
    };
    if !matches!(tokio::time::timeout(TIME, beginning).await, Ok(Ok(()))) {
        return;
    }
    let head = head.as_slice();
    if is_ours(head, ours) {
        // Whichever side leaves ends it.
        drop(passed(stream, head, ours.port).await);
        return;
    }
    if let Some(host) = host_of(head) {
        noted.note(host);
    }
    let no = b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    // Who does not read it is refused all the same.
    drop(stream.write_all(no).await);
}

/// Whether enough was read to know where it goes: of a tunnel the whole head, which is not for
/// whoever is at its end.
fn is_read(head: &[u8]) -> bool {
    if head.starts_with(TUNNEL) { end_of(head).is_some() } else { head.contains(&b'\n') }
}

/// Where what follows the head begins.
fn end_of(head: &[u8]) -> Option<usize> {
    head.windows(4).position(|four| four == b"\r\n\r\n").map(|at| at + 4)
}

/// Whether the run's listener is asked for.
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

/// The host of `CONNECT host:port …` or of `GET http://host/… …`.
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
