//! Calls of commands by name: a single answer, or a stream of lines with the answer and events.

use crate::answer::{self, Refusal, json};
use crate::guard::signed_out;
use crate::shared::Shared;
use axum::body::{Body, Bytes};
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use koab_api::{Batch, Nobody, WireError, batches};
use koab_core::say;
use serde::Deserialize;
use std::sync::Arc;
use tokio::sync::mpsc;

/// Maximum bytes of a body; the longest argument is a request of a run.
pub(crate) const MAX_BODY_BYTES: usize = 4 << 20;

/// Maximum number of lines that wait for a slow reader.
const MAX_WAITING_LINES: usize = 64;

/// One line of a stream: an object with one key.
enum Line {
    /// Answer of the command as JSON.
    Answer(String),
    Error(WireError),
    Events(Batch),
}

impl Line {
    fn text(self) -> Result<String, serde_json::Error> {
        let (key, json) = match self {
            Self::Answer(answer) => ("answer", answer),
            Self::Error(error) => ("error", serde_json::to_string(&error)?),
            Self::Events(events) => ("events", serde_json::to_string(&events)?),
        };
        Ok(format!("{{\"{key}\":{json}}}\n"))
    }
}

#[derive(Deserialize)]
struct Link {
    link: String,
}

/// `POST /api/session`: exchanges the link's secret for a session, once.
pub(crate) async fn open_session(
    State(shared): State<Arc<Shared>>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Refusal> {
    let Link { link } = read(body)?;
    let session = shared.sessions.redeem(&link)?.ok_or_else(signed_out)?;
    Ok(json(StatusCode::OK, &serde_json::json!({ "session": session })))
}

/// `POST /api/call/<command>`: arguments as a JSON object, the answer as JSON.
pub(crate) async fn call(
    State(shared): State<Arc<Shared>>,
    Path(command): Path<String>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Refusal> {
    let args = read(body)?;
    let api = shared.api.clone();
    // The command runs in its own task, so a reload of the page does not abort it.
    let called = tokio::spawn(async move { api.call(&command, args, Arc::new(Nobody)).await });
    let answer = called.await.map_err(WireError::internal)??;
    Ok(answer::text(StatusCode::OK, answer))
}

/// `POST /api/stream/<command>`: streams one line with the answer or the error, and lines with
/// events. Their order is not fixed.
pub(crate) async fn stream(
    State(shared): State<Arc<Shared>>,
    Path(command): Path<String>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Refusal> {
    let args = read(body)?;
    let (lines, mut output) = mpsc::channel::<Line>(MAX_WAITING_LINES);
    let (sink, mut batches) = batches();
    let events = lines.clone();
    tokio::spawn(async move {
        let forwarding = async {
            while let Some(batch) = batches.next().await {
                if events.send(Line::Events(batch)).await.is_err() {
                    return;
                }
            }
        };
        // Jobs have no last event: without this branch they would be followed for ever after the
        // page is closed.
        tokio::select! {
            () = forwarding => {}
            () = events.closed() => {}
        }
    });
    let api = shared.api.clone();
    tokio::spawn(async move {
        let line = match api.call(&command, args, Arc::new(sink)).await {
            Ok(answer) => Line::Answer(answer),
            Err(error) => Line::Error(error),
        };
        // If the page is closed, nothing reads the line; the command's effects remain.
        let _ = lines.send(line).await;
    });
    let body = futures_util::stream::poll_fn(move |context| {
        output.poll_recv(context).map(|line| line.map(Line::text))
    });
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson")),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((headers, Body::from_stream(body)).into_response())
}

fn read<T: serde::de::DeserializeOwned>(body: Result<Bytes, BytesRejection>) -> Result<T, Refusal> {
    let body = body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Refusal::too_large(MAX_BODY_BYTES as u64),
        _ => WireError::bad_request(say!("the request was interrupted")).into(),
    })?;
    serde_json::from_slice(&body)
        .map_err(|error| WireError::bad_request(say!("the request is not JSON as expected: {error}")).into())
}
