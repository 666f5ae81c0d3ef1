//! Answers one HTTP request to a server of tools, and checks who sent it. The listener handles
//! sockets and bodies.

use crate::server::{Reply, Server};
use hyper::header::{AUTHORIZATION, HOST, HeaderMap, ORIGIN};
use hyper::{Method, Uri};

/// Path of a server; a token may follow it.
pub const PATH: &str = "/mcp";
/// Maximum bytes of a body.
pub const BODY: usize = 1 << 20;

/// An answer with a JSON body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpAnswer {
    /// HTTP status.
    pub status: u16,
    /// Body; `None` for a notification.
    pub body: Option<String>,
}

impl HttpAnswer {
    /// A refusal with a reason in one sentence.
    pub fn refused(status: u16, why: &str) -> Self {
        let body = serde_json::json!({ "error": why }).to_string();
        Self { status, body: Some(body) }
    }
}

/// Path segment after [`PATH`], such as a token; empty if there is no segment, `None` for other
/// paths.
pub fn behind_path(uri: &Uri) -> Option<&str> {
    let rest = uri.path().strip_prefix(PATH)?;
    match rest.strip_prefix('/') {
        Some(rest) if !rest.contains('/') => Some(rest),
        None if rest.is_empty() => Some(""),
        _ => None,
    }
}

/// Token in the value of an `Authorization` header of the scheme `Bearer`, in upper or lower case
/// (RFC 9110 §11.1).
pub fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim_start())
}

/// Token of a request: in its `Authorization` header, or in the path for clients that cannot set a
/// header. `None` without a token, or if a request has two different ones.
pub fn token<'a>(headers: &'a HeaderMap, uri: &'a Uri) -> Option<&'a str> {
    let bearer = headers.get_all(AUTHORIZATION).iter().map(|value| {
        let value = value.to_str().ok()?;
        bearer(value)
    });
    let path = behind_path(uri).filter(|behind| !behind.is_empty());
    let mut tokens = bearer.chain(path.map(Some));
    let first = tokens.next()??;
    tokens.all(|other| other == Some(first)).then_some(first)
}

/// Refusal of a request that a browser page or an unknown host name sent; `None` if the request is
/// allowed.
///
/// A page in a browser sends an `Origin`, and a client that guesses addresses sends an unknown
/// `Host`. Hosts are compared with their ports. An empty list of hosts allows all.
pub fn forbidden(headers: &HeaderMap, hosts: &[String]) -> Option<HttpAnswer> {
    if headers.contains_key(ORIGIN) {
        return Some(HttpAnswer::refused(403, "requests of pages (Origin) are refused"));
    }
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let is_known = |host: &str| hosts.iter().any(|known| known.eq_ignore_ascii_case(host));
    if !hosts.is_empty() && !host.is_some_and(is_known) {
        return Some(HttpAnswer::refused(403, "this Host is not one of the server's addresses"));
    }
    None
}

/// Answers one request to the path of a server. The caller must already be authorized.
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
