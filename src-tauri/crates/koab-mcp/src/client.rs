//! Sends one request over a connection that is already open, such as one into a container.

use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use std::error::Error;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinSet;

/// Sends a request and reads the answer, whose body has at most `most` bytes. The connection is
/// closed afterwards.
///
/// # Errors
/// When the connection breaks, the answer is not HTTP, or its body is too long.
pub async fn send(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    request: Request<Full<Bytes>>,
    most: usize,
) -> Result<Response<Bytes>, Box<dyn Error + Send + Sync>> {
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    // Dropped at the end, which closes the connection.
    let mut connections = JoinSet::new();
    connections.spawn(connection);
    let (head, body) = sender.send_request(request).await?.into_parts();
    let body = Limited::new(body, most).collect().await?;
    Ok(Response::from_parts(head, body.to_bytes()))
}
