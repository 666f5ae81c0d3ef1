//! The server: its address, its routes, its end.

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
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use koab_api::{Api, Batch, ErrorCode, RunEventKind, WireError, batches};
use koab_core::say;
use std::future::Future;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// How long open connections may take to end when nothing is under way any more.
const FAREWELL: Duration = Duration::from_secs(3);

/// A server that listens and answers nobody yet.
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
    head: Duration,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// Whether a run was under way and was cancelled.
    pub cancelled_a_run: bool,
}

/// Makes links while the server runs.
#[derive(Clone)]
pub struct Links(Arc<Shared>);

impl Links {
    /// A fresh link. It works once, and the one before no more.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub fn fresh(&self) -> Result<String, WireError> {
        Ok(format!("http://{}/#link={}", self.0.hosts[0], self.0.sessions.new_link()?))
    }
}

impl Server {
    /// Listens on the loopback address; `port` 0 means any free one.
    ///
    /// # Errors
    /// When the port is taken or may not be used.
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

    /// Where links come from.
    pub fn links(&self) -> Links {
        Links(Arc::clone(&self.shared))
    }

    /// Answers until `stop` is over. A run that is under way then is cancelled, and waited for; a
    /// recording is ended and kept.
    ///
    /// # Errors
    /// When the system takes the connection away.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<Stopped, WireError> {
        let shared = self.shared;
        let (stopping, stopped) = watch::channel(false);
        let mut served = tokio::spawn(serve(self.listener, routes(&shared), self.head, stopped));
        tokio::select! {
            ended = &mut served => ended.map_err(WireError::internal)?,
            () = stop => {}
        }
        let _ = stopping.send(true);
        let cancelled_a_run = cancel_runs(&shared.api).await?;
        // What was recorded is kept, and the recorded server goes.
        shared.api.recorder.recording_stop().await?;
        // Who follows them would hold the end.
        shared.api.workspace.jobs_farewell();
        if tokio::time::timeout(FAREWELL, &mut served).await.is_err() {
            served.abort();
        }
        shared.uploads.remove();
        Ok(Stopped { cancelled_a_run })
    }
}

/// Answers connections until `stopped`, and then those that are open to the end of what they are
/// about.
///
/// Not `axum::serve`, which waits for a request's head for ever.
async fn serve(listener: TcpListener, routes: Router, head: Duration, mut stopped: watch::Receiver<bool>) {
    let open = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            _ = stopped.wait_for(|stopping| *stopping) => break,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, _)) = accepted else {
            // Out of file handles, or a caller that left at once; neither lasts.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(head)
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(routes.clone()));
        // How a caller breaks a connection off is of no interest.
        tokio::spawn(open.watch(connection));
    }
    open.shutdown().await;
}

/// Empties the queue, cancels what is under way and returns when it is over and its folder
/// complete.
async fn cancel_runs(api: &Api) -> Result<bool, WireError> {
    let mut cancelled = api.runs.runs_now()?.current.is_some();
    api.runs.runs_stop()?;
    while let Some(run) = api.app_info()?.current_run {
        let (sink, mut events) = batches();
        // It may have ended just now, and then there is nothing to cancel.
        let Ok(snapshot) = api.runs.run_subscribe(&run, Arc::new(sink)) else {
            continue;
        };
        if snapshot.finished || api.runs.run_cancel(&run).is_err() {
            continue;
        }
        cancelled = true;
        // Without an end when the run never began.
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
        .layer(DefaultBodyLimit::max(calls::BODY))
        .layer(axum::middleware::from_fn_with_state(Arc::clone(shared), guard::every))
        .with_state(Arc::clone(shared))
}

async fn page(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let readable = [Method::GET, Method::HEAD].contains(request.method());
    let found = readable.then(|| shared.site.answer(request.uri().path())).flatten();
    found.unwrap_or_else(|| {
        let nothing = crate::answer::Refusal::new(
            StatusCode::NOT_FOUND,
            ErrorCode::NotFound,
            "there is nothing under this address",
        );
        nothing.into_response()
    })
}
