//! The server: its address, its routes and its shutdown.

use crate::calls;
use crate::guard;
use crate::headers::Headers;
use crate::sessions::Sessions;
use crate::shared::Shared;
use crate::site::Site;
use crate::upload::upload;
use crate::uploads::{Limits, Uploads};
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use hyper_util::service::TowerToHyperService;
use koab_api::{Api, Batch, ErrorCode, RunEventKind, WireError, batches};
use koab_core::say;
use koab_mcp::connections::{CallerLimits, Connections};
use std::future::Future;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

/// Maximum number of open connections. Each page holds one that follows the jobs.
const MAX_CONNECTIONS: usize = 1024;
/// Time limit for open connections at shutdown, after all runs have ended.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(3);

/// A server that has its address but does not serve requests yet.
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
    head: Duration,
}

/// Result of a shutdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// Whether a run was cancelled by the shutdown.
    pub cancelled_a_run: bool,
}

/// Source of links that sign a browser in while the server runs.
#[derive(Clone)]
pub struct Links(Arc<Shared>);

impl Links {
    /// Creates a new link that signs a browser in. It works once, and the previous link becomes
    /// invalid.
    ///
    /// # Errors
    /// When the system provides no random bytes.
    pub fn fresh(&self) -> Result<String, WireError> {
        Ok(format!("http://{}/#link={}", self.0.hosts[0], self.0.sessions.new_link()?))
    }
}

impl Server {
    /// Binds the loopback address; `port` 0 selects a free one.
    ///
    /// # Errors
    /// When the port is in use or not permitted.
    pub async fn bind(api: Api, site: Site, port: u16, limits: Limits) -> Result<Self, WireError> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(|error| {
            WireError::bad_request(say!(
                "port {port} cannot be used: {error}; leave --port out to take a free one"
            ))
        })?;
        let port = listener.local_addr().map_err(WireError::internal)?.port();
        let shared = Shared {
            api,
            site,
            headers: Headers::new()?,
            sessions: Sessions::default(),
            uploads: Uploads::new(limits),
            hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")],
        };
        Ok(Self { listener, shared: Arc::new(shared), head: limits.head })
    }

    /// Returns a source of links that sign a browser in.
    pub fn links(&self) -> Links {
        Links(Arc::clone(&self.shared))
    }

    /// Serves until `stop` completes. Then the server cancels a current run, waits for its end, and
    /// saves a recording in progress.
    ///
    /// # Errors
    /// When the server fails, or a run or recording cannot be stopped.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<Stopped, WireError> {
        let shared = self.shared;
        let (stopping, stopped) = watch::channel(false);
        let mut server = tokio::spawn(serve(self.listener, routes(&shared), self.head, stopped));
        tokio::select! {
            outcome = &mut server => outcome.map_err(WireError::internal)?,
            () = stop => {}
        }
        let _ = stopping.send(true);
        let cancelled_a_run = cancel_runs(&shared.api).await?;
        // The recording is saved, and the recorded server is stopped.
        shared.api.recorder.recording_stop().await?;
        // Clients that follow jobs would keep their connections open.
        shared.api.workspace.jobs_farewell();
        if tokio::time::timeout(SHUTDOWN_TIMEOUT, &mut server).await.is_err() {
            server.abort();
        }
        shared.uploads.remove();
        Ok(Stopped { cancelled_a_run })
    }
}

/// Answers requests until `stopped`, then waits until the requests of open connections are
/// answered.
///
/// `axum::serve` is not used, because it has no time limit for a request's head.
async fn serve(listener: TcpListener, routes: Router, head: Duration, mut stopped: watch::Receiver<bool>) {
    let limits = CallerLimits { places: Arc::new(Semaphore::new(MAX_CONNECTIONS)), head };
    let stop = async { drop(stopped.wait_for(|stopping| *stopping).await) };
    let mut connections = Connections::default();
    connections.answer(&listener, &limits, TowerToHyperService::new(routes), stop).await;
    connections.finish().await;
}

/// Empties the queue, cancels the current run, and waits until it has ended and its folder is
/// complete. Returns whether a run was cancelled.
async fn cancel_runs(api: &Api) -> Result<bool, WireError> {
    let mut cancelled = api.runs.runs_now()?.current.is_some();
    api.runs.runs_stop()?;
    while let Some(run) = api.app_info()?.current_run {
        let (sink, mut events) = batches();
        // If the run has just ended, there is nothing to cancel.
        let Ok(snapshot) = api.runs.run_subscribe(&run, Arc::new(sink)) else {
            continue;
        };
        if snapshot.finished || api.runs.run_cancel(&run).is_err() {
            continue;
        }
        cancelled = true;
        // A run that never began has no such event, and the stream ends.
        while let Some(Batch::Events(list)) = events.next().await {
            if list.iter().any(|event| matches!(event.kind, RunEventKind::RunFinished { .. })) {
                break;
            }
        }
    }
    Ok(cancelled)
}

fn routes(shared: &Arc<Shared>) -> Router {
    let commands = Router::new()
        .route("/api/call/{command}", post(calls::call))
        .route("/api/stream/{command}", post(calls::stream))
        .route("/api/upload", post(upload).layer(DefaultBodyLimit::disable()))
        .route_layer(axum::middleware::from_fn_with_state(Arc::clone(shared), guard::calls));
    Router::new()
        .merge(commands)
        .route("/api/session", post(calls::open_session))
        .fallback(page)
        .layer(DefaultBodyLimit::max(calls::MAX_BODY_BYTES))
        .layer(axum::middleware::from_fn_with_state(Arc::clone(shared), guard::every))
        .with_state(Arc::clone(shared))
}

async fn page(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let readable = [Method::GET, Method::HEAD].contains(request.method());
    let file = readable.then(|| shared.site.answer(request.uri().path())).flatten();
    file.unwrap_or_else(|| {
        let nothing = crate::answer::Refusal::new(
            StatusCode::NOT_FOUND,
            ErrorCode::NotFound,
            "there is nothing under this address",
        );
        nothing.into_response()
    })
}
