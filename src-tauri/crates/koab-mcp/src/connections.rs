//! Accepts connections and answers their HTTP/1 requests. Callers may be slow, open many
//! connections and disconnect at any time.

use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::error::Error;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Maximum number of headers of a request.
const MAX_HEADERS: usize = 64;
/// Pause after the system refused a connection. The process is out of file handles, or the caller
/// disconnected at once; both pass.
const PAUSE_AFTER_REFUSAL: Duration = Duration::from_millis(50);

/// A connection that can be read and written.
pub trait Duplex: AsyncRead + AsyncWrite + Send {}

impl<S: AsyncRead + AsyncWrite + Send> Duplex for S {}

/// A connection over TCP, a Unix socket or the streams of a program.
pub type Stream = Pin<Box<dyn Duplex>>;

/// Accepts connections.
pub trait Accept: Send + Sync {
    /// Waits for the next connection.
    ///
    /// # Errors
    /// When the system refuses.
    fn accept(&self) -> impl Future<Output = io::Result<Stream>> + Send;
}

impl Accept for TcpListener {
    async fn accept(&self) -> io::Result<Stream> {
        Ok(Box::pin(self.accept().await?.0))
    }
}

/// Limits on open connections and on the time until the head of a request arrives.
#[derive(Clone, Debug)]
pub struct CallerLimits {
    /// Places for open connections. Listeners with the same semaphore share the places.
    pub places: Arc<Semaphore>,
    /// Time within which the head of a request must arrive.
    pub head: Duration,
}

/// Open connections. They are closed when this is dropped.
#[derive(Default)]
pub struct Connections {
    tasks: JoinSet<()>,
    shutdown: GracefulShutdown,
}

impl Connections {
    /// Accepts connections and answers their requests until `stop` completes.
    ///
    /// Errors of a connection are ignored: its caller has left.
    pub async fn answer<S, B>(
        &mut self,
        listener: &impl Accept,
        limits: &CallerLimits,
        service: S,
        stop: impl Future<Output = ()>,
    ) where
        S: Service<Request<Incoming>, Response = Response<B>> + Clone + Send + 'static,
        S::Future: Send,
        S::Error: Into<Box<dyn Error + Send + Sync>>,
        B: Body + Send + 'static,
        B::Data: Send,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        tokio::select! {
            () = stop => {}
            () = self.accept(listener, limits, service) => {}
        }
    }

    async fn accept<S, B>(&mut self, listener: &impl Accept, limits: &CallerLimits, service: S)
    where
        S: Service<Request<Incoming>, Response = Response<B>> + Clone + Send + 'static,
        S::Future: Send,
        S::Error: Into<Box<dyn Error + Send + Sync>>,
        B: Body + Send + 'static,
        B::Data: Send,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        while let Ok(place) = Arc::clone(&limits.places).acquire_owned().await {
            while self.tasks.try_join_next().is_some() {}
            let Ok(stream) = listener.accept().await else {
                tokio::time::sleep(PAUSE_AFTER_REFUSAL).await;
                continue;
            };
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(limits.head)
                .max_headers(MAX_HEADERS)
                .serve_connection(TokioIo::new(stream), service.clone());
            let connection = self.shutdown.watch(connection);
            self.tasks.spawn(async move {
                let _ = connection.await;
                drop(place);
            });
        }
    }

    /// Waits until the requests of all open connections are answered.
    pub async fn finish(self) {
        self.shutdown.shutdown().await;
    }
}
