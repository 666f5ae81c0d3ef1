//! Checks that every request has to pass.
//!
//! A page of another site can make a browser send requests here, also under a name that resolves to
//! this computer (DNS rebinding). It cannot choose the Host and Origin headers that the browser
//! sends, so both must be those of this server.

use crate::answer::Refusal;
use crate::shared::Shared;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use koab_api::{ErrorCode, WireError};
use koab_core::say;
use std::sync::Arc;

/// Checks that a request is addressed to this server, and not sent by another site's page. Adds the
/// common headers to the answer.
pub(crate) async fn every(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let mut answer = match addressed(&shared, &request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    shared.headers.add_to(answer.headers_mut());
    answer
}

fn addressed(shared: &Shared, request: &Request) -> Result<(), Refusal> {
    let headers = request.headers();
    let refuse = |why: &str| Refusal::new(StatusCode::FORBIDDEN, ErrorCode::BadRequest, why);
    let host = only(headers, HOST).ok_or_else(|| refuse("the request does not say whom it is for"))?;
    if !shared.is_ours(host) {
        return Err(refuse("the request is for another host; use the address that koab serve printed"));
    }
    // A URL in the request line takes precedence over the Host header.
    if request.uri().authority().is_some_and(|named| named.as_str() != host) {
        return Err(refuse("the request names two hosts"));
    }
    let origin = headers.contains_key(ORIGIN).then(|| only(headers, ORIGIN));
    let same_page = origin.map(|origin| origin.and_then(|o| o.strip_prefix("http://")) == Some(host));
    // Browsers send the origin of the caller; only opening the page itself has none.
    let calls = request.uri().path().starts_with("/api/");
    match same_page {
        Some(true) => Ok(()),
        None if !calls => Ok(()),
        _ => Err(refuse("the request does not come from this page")),
    }
}

/// Checks that the page of a call has a session.
pub(crate) async fn calls(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let session = only(request.headers(), AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
    if session.is_some_and(|session| shared.sessions.knows(session)) {
        return next.run(request).await;
    }
    signed_out().into_response()
}

/// Refusal that asks the user to open the page with a new link.
pub(crate) fn signed_out() -> Refusal {
    WireError::new(
        ErrorCode::SignedOut,
        say!("koab serve does not know this page: its link was used already, or is from an earlier start of koab serve"),
    )
    .into()
}

/// The header's value, if there is exactly one.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}
