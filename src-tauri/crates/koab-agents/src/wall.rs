//! A proxy that leads nowhere: agents that keep to `HTTPS_PROXY` reach nothing but this computer, and what they asked for is known.
//!
//! Who does not keep to it gets through: a native run is not contained, and says so.

use koab_core::say;
use koab_core::sentence::Sentence;
use std::collections::BTreeSet;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};

/// Bytes of a request's first line at most.
const LINE: usize = 4096;
/// How long it may take.
const TIME: Duration = Duration::from_secs(5);
/// Hosts that are kept in mind.
const MOST: usize = 100;

/// The proxy, until this is dropped.
pub(crate) struct Wall {
    address: SocketAddr,
    asked: Arc<Mutex<BTreeSet<String>>>,
    _ends: DropGuard,
}

impl Wall {
    /// Puts it up.
    ///
    /// # Errors
    /// When no port is free.
    pub(crate) async fn up() -> Result<Self, Sentence> {
        let refused = |error: std::io::Error| say!("no port is free for an agent's proxy: {error}");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .await
            .map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let asked = Arc::<Mutex<BTreeSet<String>>>::default();
        let end = CancellationToken::new();
        let (noted, ends) = (Arc::clone(&asked), end.clone());
        tokio::spawn(async move {
            let accepting = async {
                loop {
                    let Ok((mut stream, _)) = listener.accept().await else {
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    };
                    let noted = Arc::clone(&noted);
                    tokio::spawn(async move {
                        let mut head = vec![0; LINE];
                        let read = tokio::time::timeout(TIME, stream.read(&mut head)).await;
                        if let Ok(Ok(length)) = read
                            && let Some(host) = host_of(&head[..length])
                        {
                            let mut noted = noted.lock().unwrap_or_else(PoisonError::into_inner);
                            if noted.len() < MOST {
                                noted.insert(host);
                            }
                        }
                        let no = b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
                        // Who does not read it is refused all the same.
                        drop(stream.write_all(no).await);
                    });
                }
            };
            tokio::select! {
                () = ends.cancelled() => {}
                () = accepting => {}
            }
        });
        Ok(Self {
            address,
            asked,
            _ends: end.drop_guard(),
        })
    }

    /// Its address, for variables.
    pub(crate) fn address(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Hosts that were asked for so far.
    pub(crate) fn asked(&self) -> Vec<String> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.iter().cloned().collect()
    }
}

/// The host of `CONNECT host:port …` or of `GET http://host/… …`.
fn host_of(head: &[u8]) -> Option<String> {
    let line = std::str::from_utf8(head.split(|byte| *byte == b'\r').next()?).ok()?;
    let target = line.split(' ').nth(1)?;
    let bare = target.strip_prefix("http://").unwrap_or(target);
    let host = bare.split(['/', ':', '?']).next()?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    (!host.is_empty() && host.len() < 254 && host.chars().all(is_name)).then(|| host.to_owned())
}
