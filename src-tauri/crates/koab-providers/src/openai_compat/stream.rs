//! Reads an answer while it arrives, and times it.
//!
//! Content types are wrong often enough that the first byte decides the form of an answer: `{` is a
//! plain one, `<` a web page, anything else an event stream.
//!
//! `sse-stream` 0.3 (September 2026, maintained, the parser of the official MCP SDK) splits the
//! events. It joins lines and characters that arrive in pieces and accepts all three line endings.
//! `eventsource-stream`, the usual choice, has had no release since February 2022 and stalls on one
//! byte that is not UTF-8.

use crate::ending::BrokenOff;
use crate::http::{
    Body, Errors, LimitExceeded, Packing, Response, first_error, in_lines, is_html, is_roomy, shorten, text,
    turn_of_values,
};
use crate::openai_compat::assemble::Answer;
use crate::openai_compat::chunk::{Chunk, First};
use futures_util::stream::{self, BoxStream, StreamExt};
use koab_core::python::loads;
use koab_core::say;
use koab_core::sentence::ToSentence;
use koab_engine::ports::{ModelError, ModelReply, ModelRequest};
use serde::Deserialize as _;
use sse_stream::{Sse, SseByteStream};
use std::time::{Duration, Instant};

/// Mark that some servers put before a text in UTF-8.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Time limit for the end of a body after its last event. A connection can only be reused after the
/// end of the body; otherwise the next call opens a new one.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(20);

/// Reads one answer. `sent` is the time when its request was sent.
///
/// # Errors
/// A [`ModelError`]; a stream that ends without a finish reason counts as broken.
pub(super) async fn read(
    mut response: Response,
    sent: Instant,
    request: &ModelRequest<'_>,
    errors: &Errors,
) -> Result<ModelReply, ModelError> {
    let html = is_html(response.headers());
    let mut body = Body::default();
    let (mut first, mut looked) = (None, 0);
    while first.is_none() {
        match response.chunk().await.map_err(|error| errors.reading(&error))? {
            None => return Err(errors.broken(say!("it is empty"))),
            Some(bytes) => {
                let pushed = body.push(&bytes).await;
                pushed.map_err(|more| errors.strange(more.to_sentence()))?;
                first = first_of(body.bytes(), looked);
                looked = body.bytes().len();
            }
        }
    }
    let mut rest = Some(response);
    if let Some(packing) = rest.as_ref().and_then(|rest| Packing::of(rest.headers(), body.bytes())) {
        body = unpacked(packing, rest.take(), body, errors).await?;
        first = first_of(body.bytes(), 0);
    }
    let mut answer = Answer::after(request.messages, request.tools);
    let (first_token, latency) = match first {
        Some(b'<') => return Err(errors.strange(say!("it is a web page; check the base URL"))),
        _ if html => return Err(errors.strange(say!("it is a web page; check the base URL"))),
        Some(b'{' | b'[') => {
            if let Some(mut rest) = rest {
                let rest = rest.rest(&mut body).await;
                rest.map_err(|error| errors.reading(&error))?;
            }
            let latency = sent.elapsed();
            // The check comes before the text is copied.
            is_roomy(body.bytes()).map_err(|more| errors.strange(more.to_sentence()))?;
            let text = text(body.bytes()).map_err(|more| errors.strange(more.to_sentence()))?;
            take(text.trim_start_matches(BYTE_ORDER_MARK).trim(), &mut answer, errors).await?;
            (None, latency)
        }
        Some(b'd' | b'e' | b'i' | b'r' | b':') => {
            let head = stream::iter([Ok(body.into_vec().into())]);
            let rest = stream::iter(rest.map(Response::bytes_stream)).flatten();
            // A last event without its blank line still counts.
            let end = stream::iter([Ok("\n\n".into())]);
            let bytes = in_lines(head.chain(rest)).chain(end);
            streamed(SseByteStream::new(bytes).boxed(), sent, &mut answer, request, errors).await?
        }
        _ => {
            return Err(
                errors.strange(say!("it is neither JSON nor an event stream: {}", beginning(body.bytes())))
            );
        }
    };
    if !answer.has_choices() {
        return Err(errors.broken(say!("it holds no choices")));
    }
    let done = answer
        .assemble(request.messages, request.attempt.step)
        .map_err(|BrokenOff(word)| errors.broken(say!("the server interrupted the answer ({word})")))?;
    Ok(errors.without_keys(ModelReply {
        content: done.content,
        calls: done.calls,
        usage: done.usage,
        finish: done.finish,
        first_token,
        latency,
        opaque: done.opaque,
        left_out: None,
        written: None,
        message: Some(Box::new(done.message)),
    }))
}

/// The first byte of a body that is neither a blank nor part of a byte order mark. The first
/// `looked` bytes are already known to contain none.
fn first_of(body: &[u8], looked: usize) -> Option<u8> {
    let mut mark = [0; 3];
    let mark = BYTE_ORDER_MARK.encode_utf8(&mut mark).as_bytes();
    if body.len() < mark.len() && mark.starts_with(body) {
        return None;
    }
    let marked = if body.starts_with(mark) { mark.len() } else { 0 };
    // A partial mark is not a byte of the text either.
    let begin = if looked < mark.len() { marked } else { looked };
    body[begin..].iter().copied().find(|byte| !byte.is_ascii_whitespace())
}

/// Reads a compressed body to its end and decompresses it.
async fn unpacked(
    packing: Packing,
    rest: Option<Response>,
    mut body: Body,
    errors: &Errors,
) -> Result<Body, ModelError> {
    if let Some(mut rest) = rest {
        let rest = rest.rest(&mut body).await;
        rest.map_err(|error| errors.reading(&error))?;
    }
    let packed = body.into_vec();
    let unpacked = tokio::task::spawn_blocking(move || packing.unpack(&packed)).await;
    let unpacked = unpacked.map_err(|error| errors.broken(error.to_string()))?;
    let mut body = Body::default();
    let pushed = body.push(&unpacked.map_err(|why| errors.strange(why))?).await;
    pushed.map_err(|more| errors.strange(more.to_sentence()))?;
    Ok(body)
}

async fn streamed(
    mut events: BoxStream<'_, Result<Sse, sse_stream::Error>>,
    sent: Instant,
    answer: &mut Answer<'_>,
    request: &ModelRequest<'_>,
    errors: &Errors,
) -> Result<(Option<Duration>, Duration), ModelError> {
    let (mut first_token, mut last_event) = (None, sent.elapsed());
    while let Some(event) = events.next().await {
        let event = event.map_err(|error| match error {
            sse_stream::Error::Body(error) => errors.reading(error.as_ref()),
            error => errors.broken(say!("an event cannot be read ({error})")),
        })?;
        let data = event.data.as_deref().unwrap_or_default().trim();
        if data == "[DONE]" {
            let latency = sent.elapsed();
            let _ =
                tokio::time::timeout(DRAIN_TIMEOUT, async { while let Some(Ok(_)) = events.next().await {} })
                    .await;
            return Ok((first_token, latency));
        }
        // Pings are named, and contain nothing or their own content.
        let is_named = event.event.as_deref().is_some_and(|name| !matches!(name, "" | "message" | "error"));
        if data.is_empty() || (is_named && !data.starts_with('{')) {
            continue;
        }
        if event.event.as_deref() == Some("error") && !data.starts_with('{') {
            return Err(errors.reported(&data.into()));
        }
        last_event = sent.elapsed();
        let before = answer.text().len();
        let output = take(data, answer, errors).await?;
        if let Some(listener) = request.listener {
            listener.hear(answer.unheard(before));
        }
        if output && first_token.is_none() {
            first_token = Some(last_event);
        }
    }
    // Some servers omit the closing `[DONE]`; the finish reason is enough.
    if answer.is_finished() {
        return Ok((first_token, last_event));
    }
    Err(errors.broken(say!("the stream ended before the answer did")))
}

/// Adds one JSON object. Returns true if it contained output.
async fn take(json: &str, answer: &mut Answer<'_>, errors: &Errors) -> Result<bool, ModelError> {
    let turn = turn_of_values(json.as_bytes()).await;
    let _turn = turn.map_err(|more| errors.strange(more.to_sentence()))?;
    // Some servers put an error, or the whole answer, in a list.
    let read = if json.starts_with('[') {
        serde_json::from_str(json).map(|First(first)| first.unwrap_or_default())
    } else {
        serde_json::from_str(json)
    };
    // `serde_json` rejects half a surrogate pair, whose other half may come with the next event.
    let python = match &read {
        Err::<Chunk<'_>, serde_json::Error>(_) => {
            loads(json).ok().map(|value| value.to_value(&str::to_owned))
        }
        Ok(_) => None,
    };
    let read = match &python {
        Some(value) => Chunk::deserialize(first_error(value)),
        None => read,
    };
    let chunk: Chunk<'_> = read.map_err(|error| match error.classify() {
        serde_json::error::Category::Eof => errors.broken(say!("it is cut off in the middle of its JSON")),
        _ => errors.strange(say!(
            "it is not what Chat Completions answers ({error}): {}",
            beginning(json.as_bytes())
        )),
    })?;
    let in_choices = || chunk.choices.as_ref()?.0.as_ref()?.error.as_ref();
    if let Some(error) = chunk.error.as_ref().or_else(in_choices).filter(|error| !error.is_null()) {
        return Err(errors.reported(error));
    }
    let output = answer.push(&chunk);
    if answer.is_too_long() {
        return Err(errors.strange(LimitExceeded::Kept.to_string()));
    }
    Ok(output)
}

fn beginning(bytes: &[u8]) -> String {
    let text = shorten(&String::from_utf8_lossy(&bytes[..bytes.len().min(400)]));
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}
