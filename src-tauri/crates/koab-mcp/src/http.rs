//! One HTTP request to a server of tools, and who may ask it. Sockets and bodies are the
//! listener's.

use crate::server::{Reply, Server};
use hyper::header::{AUTHORIZATION, HOST, HeaderMap, ORIGIN};
use hyper::{Method, Uri};

/// The path of a server; a token may follow it.
pub const PATH: &str = "/mcp";
/// Bytes of a body at most.
pub const BODY: usize = 1 << 20;

/// An answer. What it says is JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpAnswer {
    /// The status.
    pub status: u16,
    /// The body; none for a notification.
    pub body: Option<String>,
}

impl HttpAnswer {
    /// A refusal in one sentence.
    pub fn refused(status: u16, why: &str) -> Self {
        let body = serde_json::json!({ "error": why }).to_string();
        Self { status, body: Some(body) }
    }
}

/// What stands behind the path, such as a token; empty where nothing does, `None` for other paths.
pub fn behind_path(uri: &Uri) -> Option<&str> {
    let rest = uri.path().strip_prefix(PATH)?;
    match rest.strip_prefix('/') {
        Some(rest) if !rest.contains('/') => Some(rest),
        None if rest.is_empty() => Some(""),
        _ => None,
    }
}

/// The token of an `Authorization` of the scheme `Bearer`, whose name is written in any case (RFC
/// 9110 §11.1).
pub fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim_start())
}

/// The one token of a request: in its `Authorization`, or behind the path for clients that can set
/// no header. `None` when there is none, or when there are two.
pub fn token<'a>(headers: &'a HeaderMap, uri: &'a Uri) -> Option<&'a str> {
    let bearer = headers.get_all(AUTHORIZATION).iter().map(|value| {
        let value = value.to_str().ok()?;
        bearer(value)
    });
    let path = behind_path(uri).filter(|behind| !behind.is_empty());
    let mut given = bearer.chain(path.map(Some));
    let first = given.next()??;
    given.all(|other| other == Some(first)).then_some(first)
}

/// Why a request is refused whoever sends it.
///
/// A page in a browser sends an `Origin`, and one that guesses at addresses a `Host` that was never
/// given out. Hosts are compared with their ports; no hosts at all means any.
pub fn forbidden(headers: &HeaderMap, hosts: &[String]) -> Option<HttpAnswer> {
    if headers.contains_key(ORIGIN) {
        return Some(HttpAnswer::refused(403, "requests of pages (Origin) are refused"));
    }
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let given_out = |host: &str| hosts.iter().any(|known| known.eq_ignore_ascii_case(host));
    if !hosts.is_empty() && !host.is_some_and(given_out) {
        return Some(HttpAnswer::refused(403, "this Host is not one of the server's addresses"));
    }
    None
}

/// Answers one request to the path of a server whose caller is known.
pub async fn answer(server: &Server, method: &Method, body: &[u8]) -> HttpAnswer {
    if method != Method::POST {
        return HttpAnswer::refused(
            405,
            "the server takes POST alone: it has no stream of its own and no sessions",
        );
    }
    let (status, body) = match server.take(body).await {
        Reply::Answer(text) => (200, Some(text)),
        Reply::Nothing => (202, None),
        Reply::Invalid(text) => (400, Some(text)),
    };
    HttpAnswer { status, body }
}
