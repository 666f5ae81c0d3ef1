//! Relays lines of standard streams to the MCP server of a run and back, for agents that support
//! only stdio (`koab agents bridge`). That server, which offers the tools of an attempt, is in
//! `server.rs`.
//!
//! The server is on this computer or, for an agent in a container, on the container's host. Each
//! message has a connection of its own, since messages are few.

use crate::client;
use crate::exchange::{PendingAnswers, exchange, too_long};
use crate::lines::Line;
use crate::message::{self, Kind, Message};
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST, HeaderValue};
use hyper::{Request, Uri};
use koab_core::say;
use koab_core::sentence::Sentence;
use std::io;
use tokio::io::{AsyncBufRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

/// Address of a server, and the token for it.
#[derive(Clone)]
pub struct Bridge {
    uri: Uri,
    address: String,
    bearer: Option<HeaderValue>,
}

impl Bridge {
    /// Creates a bridge to a server at `http://HOST:PORT/PATH`.
    ///
    /// # Errors
    /// One sentence, if the address or the token is invalid.
    pub fn to(url: &str, token: Option<&str>) -> Result<Self, Sentence> {
        let uri: Uri = url.parse().map_err(|error: hyper::http::uri::InvalidUri| {
            say!("KOAB_MCP_URL is not an address ({}): {url}", error.to_string())
        })?;
        let host = uri.host().filter(|_| uri.scheme_str() == Some("http"));
        let Some(host) = host else {
            return Err(say!("KOAB_MCP_URL must begin with http:// and a host: {url}"));
        };
        let address = format!("{host}:{}", uri.port_u16().unwrap_or(80));
        let bearer = token
            .map(|token| HeaderValue::from_str(&format!("Bearer {token}")))
            .transpose()
            .map_err(|_| say!("KOAB_MCP_TOKEN has characters that a token cannot have"))?;
        Ok(Self { uri, address, bearer })
    }

    /// Relays lines until the input ends and all requests are answered.
    ///
    /// # Errors
    /// When a stream breaks.
    pub async fn serve(
        &self,
        input: &mut (impl AsyncBufRead + Unpin),
        output: &mut (impl AsyncWrite + Unpin),
    ) -> io::Result<()> {
        let mut answering = PendingAnswers::new(|line| {
            Box::pin(async move {
                match line {
                    Line::Text(text) => self.hand(text).await,
                    Line::TooLong => vec![too_long()],
                }
            })
        });
        let no_end = CancellationToken::new();
        Ok(exchange(&mut answering, input, output, &no_end).await?)
    }

    /// Relays one line, and returns the lines of its answer.
    async fn hand(&self, text: Vec<u8>) -> Vec<String> {
        let message = Message::read(&text);
        let wants = message.as_ref().is_ok_and(|message| message.kind() == Kind::Request);
        let why = match self.post(text).await {
            Ok((kind, body)) => match answers_in(&kind, &body) {
                answers if wants && answers.is_empty() => format!("the server answered: {}", body.trim()),
                answers => return answers,
            },
            Err(why) => why,
        };
        let id = message.ok().and_then(|message| message.id);
        let error = message::error(message::INTERNAL_ERROR, &why);
        wants.then(|| message::refusal(id.as_deref(), &error)).into_iter().collect()
    }

    async fn post(&self, text: Vec<u8>) -> Result<(String, String), String> {
        let failed = |error: &dyn std::fmt::Display| {
            format!("the server at {} cannot be asked: {error}", self.address)
        };
        let stream = TcpStream::connect(&self.address).await.map_err(|error| failed(&error))?;
        let path = self.uri.path_and_query().map_or("/", |path| path.as_str());
        let mut request = Request::post(path)
            .header(HOST, &self.address)
            .header(ACCEPT, "application/json, text/event-stream")
            .header(CONTENT_TYPE, "application/json");
        if let Some(bearer) = &self.bearer {
            request = request.header(AUTHORIZATION, bearer);
        }
        let request = request.body(Full::new(Bytes::from(text))).map_err(|error| failed(&error))?;
        let response = client::send(stream, request, usize::MAX).await.map_err(|error| failed(&error))?;
        let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        Ok((kind.unwrap_or_default().to_owned(), String::from_utf8_lossy(response.body()).into_owned()))
    }
}

/// The messages of a body, each in one line: the body itself, or the events of a stream.
fn answers_in(kind: &str, body: &str) -> Vec<String> {
    // A transport error is not a JSON-RPC response, so the client would wait for ever.
    let is_message = |text: &&str| text.contains("\"jsonrpc\"") && Message::read(text.as_bytes()).is_ok();
    let in_one_line = |text: &str| text.replace(['\r', '\n'], " ");
    if kind.starts_with("text/event-stream") {
        let events = body.lines().filter_map(|line| line.strip_prefix("data:"));
        return events.map(str::trim).filter(is_message).map(in_one_line).collect();
    }
    Some(body.trim()).filter(is_message).map(in_one_line).into_iter().collect()
}
