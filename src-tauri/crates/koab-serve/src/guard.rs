//! What every request must pass.
//!
//! A page of another site can make a browser send requests here, also under a name that it makes
//! point to this computer (DNS rebinding). It cannot choose the Host and Origin that the browser
//! writes, so both must be ours.

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

/// For every request: is it addressed to us, and not sent for another site?
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
    let refused = |why: &str| Refusal::new(StatusCode::FORBIDDEN, ErrorCode::BadRequest, why);
    let host = only(headers, HOST).ok_or_else(|| refused("the request does not say whom it is for"))?;
    if !shared.is_ours(host) {
        return Err(refused("the request is for another host; use the address that koab serve printed"));
    }
    // A whole address in the request line would be the one that counts.
    if request.uri().authority().is_some_and(|named| named.as_str() != host) {
        return Err(refused("the request names two hosts"));
    }
    let origin = headers.contains_key(ORIGIN).then(|| only(headers, ORIGIN));
    let same_page = origin.map(|origin| origin.and_then(|o| o.strip_prefix("http://")) == Some(host));
    // Browsers name the origin of whatever calls; only opening the page itself comes without.
    let calls = request.uri().path().starts_with("/api/");
    match same_page {
        Some(true) => Ok(()),
        None if !calls => Ok(()),
        _ => Err(refused("the request does not come from this page")),
    }
}

/// For every call: has its page a session?
pub(crate) async fn calls(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let session = only(request.headers(), AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
    if session.is_some_and(|session| shared.sessions.knows(session)) {
        return next.run(request).await;
    }
    signed_out().into_response()
}

/// The page must be opened anew.
pub(crate) fn signed_out() -> Refusal {
    WireError::new(
        ErrorCode::SignedOut,
        say!("koab serve does not know this page: its link was used already, or is of an earlier start"),
    )
    .into()
}

/// The header's value, when there is exactly one.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}
