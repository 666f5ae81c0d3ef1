//! Accepts connections to a socket of any family. Dropping the returned guard stops this.

use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Semaphore;
use tokio_util::sync::{CancellationToken, DropGuard};

/// Pause after a listener failed to accept a connection.
const REST: Duration = Duration::from_millis(50);

/// A socket that accepts connections.
pub(crate) trait Listener: Send + Sync + 'static {
    /// Type of a connection.
    type Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static;

    /// Waits for the next connection.
    fn next(&self) -> impl Future<Output = io::Result<Self::Stream>> + Send;
}

/// Answers connections, at most `places` at a time. The listener and all connections end when the
/// returned guard is dropped.
pub(crate) fn accept<L: Listener, F: Future<Output = ()> + Send + 'static>(
    listener: L,
    places: usize,
    answer: impl Fn(L::Stream) -> F + Send + 'static,
) -> DropGuard {
    let end = CancellationToken::new();
    let ends = end.clone();
    let accepting = async move {
        let places = Arc::new(Semaphore::new(places));
        // Further connections wait in the queue of the system.
        while let Ok(place) = Arc::clone(&places).acquire_owned().await {
            let Ok(stream) = listener.next().await else {
                tokio::time::sleep(REST).await;
                continue;
            };
            let answering = answer(stream);
            tokio::spawn(ends.clone().run_until_cancelled_owned(async move {
                answering.await;
                drop(place);
            }));
        }
    };
    tokio::spawn(end.clone().run_until_cancelled_owned(accepting));
    end.drop_guard()
}
