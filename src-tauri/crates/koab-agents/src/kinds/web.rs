//! Plain HTTP to an agent that is a server on this computer, or in a container on this computer.
//! Other addresses are refused, so that this module gives no access to the network.

use super::LONGEST_ANSWER;
use crate::answer::excerpt;
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{ACCEPT, CONTENT_TYPE, HOST};
use hyper::{Method, Request};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_mcp::client;
use koab_mcp::connections::Stream;
use koab_scenarios::docker::ContainerPorts;
use serde_json::Value;
use std::time::Duration;
use tokio::net::TcpStream;

/// Time that a connection may take. A connection into a container starts a program in the
/// container.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// An address of this computer.
#[derive(Clone, Debug)]
pub(super) struct Address {
    port: u16,
    path: String,
    /// Container that contains the port; `None` for a port of this computer.
    within: Option<ContainerPorts>,
}

impl Address {
    /// Parses an address.
    ///
    /// # Errors
    /// When the text is not an address of this computer.
    pub(super) fn read(text: &str) -> Result<Self, Sentence> {
        let wrong = || {
            say!("{text} is not an address of a server on this computer, such as http://127.0.0.1:{{port}}/")
        };
        let rest = text.strip_prefix("http://").ok_or_else(wrong)?;
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let (name, port) = host.rsplit_once(':').unwrap_or((host, "80"));
        if !matches!(name, "127.0.0.1" | "localhost" | "0.0.0.0") {
            return Err(wrong());
        }
        Ok(Self {
            port: port.parse().map_err(|_| wrong())?,
            path: if path.is_empty() { "/" } else { path }.to_owned(),
            within: None,
        })
    }

    /// An address with the same port and path, but in a container.
    pub(super) fn within(self, container: Option<ContainerPorts>) -> Self {
        Self { within: container, ..self }
    }

    /// Address of another path of the same server.
    pub(super) fn at(&self, path: &str) -> Self {
        Self { path: path.to_owned(), ..self.clone() }
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// Whether a server listens at the address.
    pub(super) async fn is_there(&self) -> bool {
        self.connect().await.is_ok()
    }

    async fn connect(&self) -> Result<Stream, Sentence> {
        let connecting = async {
            Ok::<Stream, std::io::Error>(match &self.within {
                Some(container) => Box::pin(container.connect(self.port).await?),
                None => Box::pin(TcpStream::connect(("127.0.0.1", self.port)).await?),
            })
        };
        match tokio::time::timeout(CONNECT_TIMEOUT, connecting).await {
            Ok(stream) => stream.map_err(|error| say!("its server cannot be reached: {error}")),
            Err(_) => Err(say!("its server cannot be reached")),
        }
    }
}

/// Sends a `GET` and returns the text of the response.
///
/// # Errors
/// When the server does not answer or returns an error.
pub(super) async fn get(address: &Address) -> Result<String, Sentence> {
    send(address, Method::GET, Bytes::new(), &[]).await
}

/// Sends a value with `POST` and returns the text of the response.
///
/// # Errors
/// When the server does not answer or returns an error.
pub(super) async fn post(
    address: &Address,
    body: &Value,
    headers: &[(&str, &str)],
) -> Result<String, Sentence> {
    send(address, Method::POST, body.to_string().into(), headers).await
}

async fn send(
    address: &Address,
    method: Method,
    body: Bytes,
    headers: &[(&str, &str)],
) -> Result<String, Sentence> {
    let stream = address.connect().await?;
    let mut request = Request::builder()
        .method(method)
        .uri(&address.path)
        .header(HOST, format!("127.0.0.1:{}", address.port))
        .header(CONTENT_TYPE, "application/json")
        .header(ACCEPT, "application/json");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request
        .body(Full::new(body))
        .map_err(|error| say!("{} is not a valid path: {error}", address.path))?;
    let answer = client::send(stream, request, LONGEST_ANSWER)
        .await
        .map_err(|error| say!("the connection to its server was lost: {error}", error = error.to_string()))?;
    let status = answer.status();
    let text = String::from_utf8_lossy(answer.body()).into_owned();
    if !status.is_success() {
        return Err(say!("its server answered {}: {}", status.as_u16(), excerpt(&text)));
    }
    Ok(text)
}

#[cfg(test)]
mod tests;
