//! HTTP server of the gateway: paths, tokens, and limits for untrusted callers.
//!
//! Scenario code may execute what a model wrote, so a caller may send anything, slowly, and over
//! many connections.

use super::body;
use super::call::{Answer, Source, carry, parsed};
use super::count;
use super::ended_attempts::EndedAttempts;
use super::form::Form;
use super::forms::Route;
use super::listener::Listener;
use super::listing;
use super::mcp;
use super::paths::{self, Target};
use super::refusal::Refusal;
use super::request::ServedModel;
use super::stream::stream;
use super::stream_body::StreamBody;
use super::trial::Trial;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use koab_core::cache_key::sha256_hex;
use koab_engine::ports::Cancel;
use koab_mcp::connections::{CallerLimits, Connections};
use koab_mcp::http::HttpAnswer;
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;

/// Maximum number of open connections, over all trials.
const MAX_CONNECTIONS: usize = 256;
/// Time within which the head of a request must arrive.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);

/// Media type of answers that are not streamed.
const JSON: &str = "application/json";

/// Body of an answer, complete or streamed.
type AnswerBody = UnsyncBoxBody<Bytes, Infallible>;

/// State that all connections share.
pub(super) struct Shared {
    pub(super) served: ServedModel,
    /// Accepted values of `Host` in requests to the tools.
    pub(super) hosts: Vec<String>,
    pub(super) source: Source,
    /// Trials by the SHA-256 of their tokens. Tokens themselves are neither compared nor kept in
    /// memory.
    trials: Mutex<HashMap<String, Arc<Trial>>>,
    late: Mutex<EndedAttempts>,
}

impl Shared {
    pub(super) fn new(served: ServedModel, hosts: Vec<String>, source: Source) -> Self {
        Self { served, hosts, source, trials: Mutex::default(), late: Mutex::default() }
    }

    pub(super) fn admit(&self, token: &str, trial: Trial) {
        self.trials().insert(sha256_hex(token), Arc::new(trial));
    }

    /// Revokes a token and returns its trial.
    pub(super) fn dismiss(&self, token: &str) -> Option<Arc<Trial>> {
        let hash = sha256_hex(token);
        let trial = self.trials().remove(&hash)?;
        if trial.attempt.is_some() {
            self.late().add(hash, trial.name.clone());
        }
        Some(trial)
    }

    fn caller(&self, request: &Request<Incoming>) -> Option<Arc<Trial>> {
        self.trial(paths::token(request.headers(), request.uri())?)
    }

    pub(super) fn trial(&self, token: &str) -> Option<Arc<Trial>> {
        let hash = sha256_hex(token);
        let trial = self.trials().get(&hash).cloned();
        if trial.is_none() {
            self.late().called(&hash);
        }
        trial
    }

    pub(super) fn late(&self) -> MutexGuard<'_, EndedAttempts> {
        self.late.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn trials(&self) -> MutexGuard<'_, HashMap<String, Arc<Trial>>> {
        self.trials.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Answers requests on all listeners until `stop` is cancelled.
pub(super) fn serve(listeners: Vec<Listener>, shared: &Arc<Shared>, stop: &Cancel) {
    let limits = CallerLimits { places: Arc::new(Semaphore::new(MAX_CONNECTIONS)), head: HEAD_TIMEOUT };
    for listener in listeners {
        let (shared, limits, stop) = (Arc::clone(shared), limits.clone(), stop.clone());
        let service = service_fn(move |request| {
            let shared = Arc::clone(&shared);
            async move { Ok::<_, Infallible>(handle(&shared, request).await) }
        });
        tokio::spawn(async move {
            // Dropped with this task, which closes all open connections.
            let mut connections = Connections::default();
            connections.answer(&listener, &limits, service, stop.cancelled()).await;
        });
    }
}

async fn handle(shared: &Arc<Shared>, request: Request<Incoming>) -> Response<AnswerBody> {
    if mcp::is_meant(request.uri()) {
        return respond_with(mcp::answer(&shared.hosts, |token| shared.trial(token), request).await);
    }
    let form = paths::form(request.uri().path(), request.headers());
    let refuse = |refusal: &Refusal| refuse(form, refusal);
    let Some(trial) = shared.caller(&request) else {
        return refuse(&Refusal::no_token(form));
    };
    let route = match paths::target(request.method(), request.uri(), form) {
        Err(refusal) => return refuse(&refusal),
        Ok(Target::Models(form)) => {
            return respond(200, JSON, listing::models(form, &shared.served.model).to_string());
        }
        Ok(Target::Count(route)) => {
            let body = body::read(request).await;
            return body
                .and_then(|body| count(shared, &route, &body))
                .unwrap_or_else(|refusal| refuse(&refusal));
        }
        Ok(Target::Answer(route)) => route,
    };
    let body = body::read(request).await;
    let caller_left = trial.cancel.child_token();
    // Dropped with this request or with the streamed answer, and so when the caller leaves.
    let leave_guard = caller_left.clone().drop_guard();
    let (stream, mut receiver) = stream();
    let shared = Arc::clone(shared);
    // A separate task, so that the call is recorded also when the caller has left.
    let task_route = route.clone();
    let call = tokio::spawn(async move {
        let stream = stream;
        carry(&shared.source, &trial, &task_route, body, (&stream, &caller_left)).await
    });
    if let Some((first, left_out)) = receiver.first().await {
        let pieces = StreamBody::new(first, receiver.into_pieces(), leave_guard);
        let mut response = head(200, route.kind_of_pieces(), pieces.boxed_unsync());
        name_left_out(&mut response, &left_out);
        return response;
    }
    match call.await {
        Ok(answer) => tell(&route, answer),
        Err(_) => refuse(&Refusal::new(500, "internal", "the gateway failed; please report it")),
    }
}

/// Answer to a request to count tokens. It is neither a call of the model nor recorded.
fn count(shared: &Shared, route: &Route, body: &[u8]) -> Result<Response<AnswerBody>, Refusal> {
    let body = parsed(body)?;
    let request = route.read_for_count(&body, &shared.served)?;
    let answer = route.counted(count::tokens(&request));
    let mut response = respond(200, JSON, answer.to_string());
    let estimated = HeaderValue::from_static("1");
    response.headers_mut().insert("x-koab-estimated", estimated);
    Ok(response)
}

fn tell(route: &Route, answer: Answer) -> Response<AnswerBody> {
    let streams = answer.format.stream && answer.status == 200;
    let mut response = if streams {
        respond(200, route.kind_of_pieces(), route.events(&answer.body, answer.format))
    } else {
        respond(answer.status, JSON, answer.body.to_string())
    };
    name_left_out(&mut response, &answer.left_out);
    let headers = response.headers_mut();
    let mut add = |name: HeaderName, value: String| {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(name, value);
        }
    };
    if let Some(seconds) = answer.retry_after {
        add(RETRY_AFTER, seconds.to_string());
    }
    if answer.status != 200 {
        add(HeaderName::from_static("x-should-retry"), answer.again.to_string());
    }
    response
}

/// Answer to a request that was refused before it became a call.
fn refuse(form: Form, refusal: &Refusal) -> Response<AnswerBody> {
    let mut response = respond(refusal.status, JSON, Route::for_form(form).error(refusal).to_string());
    let never = HeaderValue::from_static("false");
    response.headers_mut().insert("x-should-retry", never);
    response
}

fn name_left_out(response: &mut Response<AnswerBody>, left_out: &[String]) {
    if !left_out.is_empty()
        && let Ok(value) = HeaderValue::from_str(&left_out.join(", "))
    {
        response.headers_mut().insert("x-koab-left-out", value);
    }
}

/// Converts an answer of the tools to an HTTP response.
fn respond_with(answer: HttpAnswer) -> Response<AnswerBody> {
    respond(answer.status, JSON, answer.body.unwrap_or_default())
}

fn respond(status: u16, kind: &'static str, body: String) -> Response<AnswerBody> {
    head(status, kind, Full::new(Bytes::from(body)).boxed_unsync())
}

fn head(status: u16, kind: &'static str, body: AnswerBody) -> Response<AnswerBody> {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
