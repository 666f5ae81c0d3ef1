//! HTTP listener for servers of tools outside a gateway, on addresses of this computer. Each path
//! belongs to one server.

use crate::body::{self, BodyFault};
use crate::connections::{CallerLimits, Connections};
use crate::http::{self, BODY, HttpAnswer};
use async_trait::async_trait;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode, Uri};
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// Maximum number of connections at once.
const MAX_CONNECTIONS: usize = 256;
/// Time limit of a request's head, and of its body.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// A request that passed the checks of the listener.
#[derive(Debug)]
pub struct HttpRequest {
    /// HTTP method.
    pub method: Method,
    /// Request URI.
    pub uri: Uri,
    /// Headers of the request.
    pub headers: HeaderMap,
    /// Whole body.
    pub body: Bytes,
}

/// Handler of a listener's requests.
#[async_trait]
pub trait HttpHandler: Send + Sync {
    /// Answers one request. The future is dropped when the caller disconnects.
    async fn answer(&self, request: HttpRequest) -> HttpAnswer;
}

/// A bound TCP listener.
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
    address: SocketAddr,
}

impl Listener {
    /// Binds an address; port 0 selects a free one.
    ///
    /// # Errors
    /// When the system refuses.
    pub async fn bind(address: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address })
    }

    /// Bound address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `stop`.
    pub async fn serve(self, answers: Arc<dyn HttpHandler>, stop: CancellationToken) {
        let port = self.address.port();
        let own_hosts = [self.address.to_string(), format!("localhost:{port}"), format!("127.0.0.1:{port}")];
        let hosts: Arc<[String]> = Arc::new(own_hosts);
        let limits =
            CallerLimits { places: Arc::new(Semaphore::new(MAX_CONNECTIONS)), head: REQUEST_TIMEOUT };
        let service = service_fn(move |request| {
            let (answers, hosts) = (Arc::clone(&answers), Arc::clone(&hosts));
            async move { Ok::<_, Infallible>(respond(handle(&*answers, &hosts, request).await)) }
        });
        Connections::default().answer(&self.listener, &limits, service, stop.cancelled()).await;
    }
}

async fn handle(answers: &dyn HttpHandler, hosts: &[String], request: Request<Incoming>) -> HttpAnswer {
    if let Some(refusal) = http::forbidden(request.headers(), hosts) {
        return refusal;
    }
    if http::behind_path(request.uri()).is_none() {
        return HttpAnswer::refused(404, "there is nothing here; the server is at /mcp");
    }
    let (head, body) = request.into_parts();
    let body = match body::whole(body, BODY, REQUEST_TIMEOUT).await {
        Ok(body) => body,
        Err(BodyFault::TooLong) => return HttpAnswer::refused(413, "the body is longer than 1 MiB"),
        Err(BodyFault::BrokeOff) => return HttpAnswer::refused(400, "the body broke off"),
        Err(BodyFault::TooSlow) => return HttpAnswer::refused(408, "the body did not come in time"),
    };
    let http_request = HttpRequest { method: head.method, uri: head.uri, headers: head.headers, body };
    answers.answer(http_request).await
}

/// Converts an answer to hyper's type.
pub fn respond(answer: HttpAnswer) -> Response<Full<Bytes>> {
    let has_body = answer.body.is_some();
    let mut response = Response::new(Full::new(Bytes::from(answer.body.unwrap_or_default())));
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::BAD_GATEWAY);
    if has_body {
        let json = HeaderValue::from_static("application/json");
        response.headers_mut().insert(CONTENT_TYPE, json);
    }
    response
}
