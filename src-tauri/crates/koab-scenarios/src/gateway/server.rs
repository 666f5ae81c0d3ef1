//! The gateway's HTTP: its paths, a token for each, and limits for callers that nobody vouches for.
//!
//! Scenario code runs what a model wrote, so a caller may send anything, slowly, and over many
//! connections.

use super::body;
use super::call::{Answer, Source, carry, parsed};
use super::count;
use super::ended_attempts::EndedAttempts;
use super::form::Form;
use super::forms::Route;
use super::listener::{Listener, Stream};
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
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use koab_core::cache_key::sha256_hex;
use koab_engine::ports::Cancel;
use koab_mcp::http::HttpAnswer;
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Connections at once, over all trials.
const CONNECTIONS: usize = 256;
/// How long a caller may take for a request's head.
const HEAD_TIME: Duration = Duration::from_secs(30);

/// Type of answers that come whole.
const JSON: &str = "application/json";

/// The body of an answer, whole or in pieces.
type AnswerBody = UnsyncBoxBody<Bytes, Infallible>;

/// What all connections share.
pub(super) struct Shared {
    pub(super) served: ServedModel,
    /// Where it is reached, as `Host` has it; what comes by another name is not for its tools.
    pub(super) hosts: Vec<String>,
    pub(super) source: Source,
    /// By the SHA-256 of their tokens: a token is compared nowhere, and is in no memory but the
    /// caller's.
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

    /// The trial of a token, which is good no more.
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

/// Answers on all of these until `stop`.
pub(super) fn serve(listeners: Vec<Listener>, shared: &Arc<Shared>, stop: &Cancel) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    for listener in listeners {
        let (shared, places, stop) = (Arc::clone(shared), Arc::clone(&places), stop.clone());
        tokio::spawn(async move {
            // Whatever is open when this ends is closed with it.
            let mut connections = JoinSet::new();
            let accepting = async {
                loop {
                    let Ok(place) = Arc::clone(&places).acquire_owned().await else {
                        return;
                    };
                    while connections.try_join_next().is_some() {}
                    match listener.accept().await {
                        Ok(stream) => {
                            let shared = Arc::clone(&shared);
                            connections.spawn(async move {
                                connection(stream, shared).await;
                                drop(place);
                            });
                        }
                        // Out of file handles, or a caller that left at once; neither lasts.
                        Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
                    }
                }
            };
            tokio::select! {
                () = stop.cancelled() => {}
                () = accepting => {}
            }
        });
    }
}

async fn connection(stream: Stream, shared: Arc<Shared>) {
    let service = service_fn(move |request| {
        let shared = Arc::clone(&shared);
        async move { Ok::<_, Infallible>(handle(&shared, request).await) }
    });
    // How a caller breaks a connection off is of no interest: its calls are written down.
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_headers(64)
        .serve_connection(TokioIo::new(stream), service)
        .await;
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
    let left = trial.cancel.child_token();
    // Dropped with this request, or with the answer that is told, when the caller leaves.
    let leaves = left.clone().drop_guard();
    let (stream, mut receiver) = stream();
    let shared = Arc::clone(shared);
    // A task of its own, so that the call is written down also when nobody waits any more.
    let task_route = route.clone();
    let call = tokio::spawn(async move {
        let stream = stream;
        carry(&shared.source, &trial, &task_route, body, (&stream, &left)).await
    });
    if let Some((first, left_out)) = receiver.first().await {
        let pieces = StreamBody::new(first, receiver.into_pieces(), leaves);
        let mut response = head(200, route.kind_of_pieces(), pieces.boxed_unsync());
        name_left_out(&mut response, &left_out);
        return response;
    }
    match call.await {
        Ok(answer) => tell(&route, answer),
        Err(_) => refuse(&Refusal::new(500, "internal", "the gateway failed; please report it")),
    }
}

/// How many tokens a request has: no call of the model, and not written down.
fn count(shared: &Shared, route: &Route, body: &[u8]) -> Result<Response<AnswerBody>, Refusal> {
    let body = parsed(body)?;
    let asked = route.read_for_count(&body, &shared.served)?;
    let counted = route.counted(count::tokens(&asked));
    let mut response = respond(200, JSON, counted.to_string());
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

/// A request that never became a call.
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

/// An answer of the tools.
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
