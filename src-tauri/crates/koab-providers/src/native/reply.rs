//! Reads an answer from a stream of `genai`, and times it.

use crate::ending::{self, BrokenOff};
use crate::http::{Errors, KEPT_BYTES, LimitExceeded, kept_of, size};
use crate::ids;
use crate::native::watch::Watch;
use crate::native::{Protocol, fault, opaque};
use futures_util::StreamExt as _;
use genai::chat::{ChatStream, ChatStreamEvent, ToolCall, Usage};
use koab_core::say;
use koab_core::sentence::ToSentence;
use koab_engine::ports::{self, FinishReason, ModelError, ModelReply, ModelRequest, RequestedCall};
use serde_json::Value;
use std::time::{Duration, Instant};

/// Calls while they are assembled.
#[derive(Default)]
struct Calls(Vec<RequestedCall>);

impl Calls {
    /// Adds a chunk, and returns the number of new bytes. Arguments come as an object at once, or
    /// as their text so far, which begins empty.
    fn push(&mut self, call: ToolCall) -> usize {
        let (arguments, whole) = match call.fn_arguments {
            Value::String(text) => (text, false),
            Value::Null => (String::new(), true),
            value => (value.to_string(), true),
        };
        if let Some(last) = self.0.last_mut()
            && !whole
            && last.id == call.call_id
            && arguments.starts_with(&last.arguments)
        {
            let before = std::mem::replace(&mut last.arguments, arguments);
            return last.arguments.len() - before.len();
        }
        let bytes = size_of::<RequestedCall>() + call.call_id.len() + call.fn_name.len() + arguments.len();
        self.0.push(RequestedCall { id: call.call_id, name: call.fn_name, arguments });
        bytes
    }

    fn finished(mut self, protocol: Protocol, watch: &Watch, cut_off: bool) -> Vec<RequestedCall> {
        for call in &mut self.0 {
            if let Some(input) = watch.take_input(&call.id)
                && call.arguments.is_empty()
            {
                call.arguments = input.to_string();
            }
            // A call without arguments comes without any piece of them. A call that was cut off
            // before its first piece looks the same, but is incomplete.
            if call.arguments.is_empty() && !cut_off {
                call.arguments.push_str("{}");
            }
            // `genai` invented the id, and it is the same in every turn.
            if matches!(protocol, Protocol::Gemini | Protocol::Vertex) && call.id.starts_with("call#") {
                call.id.clear();
            }
        }
        self.0
    }
}

/// Text of an answer. The event that opens a block may already contain the beginning of its text.
#[derive(Default)]
struct Text {
    whole: String,
    /// Text that came with the opening of the current block, and the position where the block's
    /// pieces begin.
    start: Option<(usize, String)>,
}

impl Text {
    /// Adds texts that came with the opening of blocks.
    fn started(&mut self, texts: Vec<String>) {
        for text in texts {
            self.settle();
            self.start = Some((self.whole.len(), text));
        }
    }

    /// Adds a piece of text, and returns its position.
    fn push(&mut self, piece: &str) -> usize {
        let start = self.whole.len();
        let continues = |(at, text): &(usize, String)| {
            *at < start || text.starts_with(piece) || piece.starts_with(text.as_str())
        };
        if !self.start.as_ref().is_none_or(continues) {
            self.settle();
        }
        self.whole.push_str(piece);
        start
    }

    /// Ends the current block. The text from its opening is inserted before its pieces, unless the
    /// pieces repeat it, as some servers do.
    fn settle(&mut self) {
        if let Some((at, text)) = self.start.take()
            && !self.whole[at..].starts_with(&text)
        {
            self.whole.insert_str(at, &text);
        }
    }
}

/// Reads one answer. `sent` is the time when its request was sent.
///
/// # Errors
/// A [`ModelError`]; a stream that ends without a finish reason counts as broken.
pub(super) async fn read(
    mut stream: ChatStream,
    sent: Instant,
    request: &ModelRequest<'_>,
    protocol: Protocol,
    watch: &Watch,
    errors: &Errors,
) -> Result<ModelReply, ModelError> {
    let (mut content, mut calls, mut first_token) = (Text::default(), Calls::default(), None);
    let mut last = None;
    let mut kept_bytes = kept_of(request.messages);
    loop {
        let event = tokio::select! {
            event = stream.next() => event,
            () = watch.changed() => None,
        };
        if let Some(more) = watch.too_much() {
            return Err(errors.strange(more.to_sentence()));
        }
        let Some(event) = event else { break };
        content.started(watch.take_texts());
        let output = match event {
            Ok(ChatStreamEvent::Chunk(chunk)) => {
                kept_bytes += chunk.content.len();
                let new = content.push(&chunk.content);
                if let Some(listener) = request.listener.filter(|_| kept_bytes <= KEPT_BYTES) {
                    listener.hear(&content.whole[new..]);
                }
                !chunk.content.is_empty()
            }
            Ok(ChatStreamEvent::ReasoningChunk(chunk)) => {
                kept_bytes += chunk.content.len();
                !chunk.content.is_empty()
            }
            Ok(ChatStreamEvent::ThoughtSignatureChunk(chunk)) => {
                kept_bytes += chunk.content.len();
                false
            }
            Ok(ChatStreamEvent::ToolCallChunk(chunk)) => {
                kept_bytes += calls.push(chunk.tool_call);
                true
            }
            Ok(ChatStreamEvent::End(end)) => {
                last = Some((end, sent.elapsed()));
                break;
            }
            Ok(ChatStreamEvent::Start | ChatStreamEvent::Heartbeat) => false,
            Err(_) if watch.is_withheld() => return Ok(nothing(sent.elapsed())),
            Err(error) => return Err(fault::named(error, errors)),
        };
        if kept_bytes > KEPT_BYTES {
            return Err(errors.strange(LimitExceeded::Kept.to_string()));
        }
        if output && first_token.is_none() {
            first_token = Some(sent.elapsed());
        }
    }
    // The end of the body is usually there already; after it the connection can be reused.
    let _ = tokio::time::timeout(Duration::from_millis(5), stream.next()).await;
    let Some((end, latency)) = last else {
        if watch.saw_nothing() {
            return Err(errors.broken(say!(
                "it has no events; the server, or a proxy before it, has to send its answers as a stream"
            )));
        }
        return Err(errors.broken(say!("the stream ended before the answer did")));
    };
    let Some(reason) = end.captured_stop_reason else {
        return Err(errors.broken(say!("the stream ended before the answer did")));
    };
    content.settle();
    let mut calls = calls.finished(protocol, watch, reason.is_max_tokens());
    let opaque = opaque::from_content(end.captured_content, protocol, &calls);
    // Hidden reasoning comes without an event.
    if opaque.as_deref().is_some_and(|opaque| size(opaque) > KEPT_BYTES) {
        return Err(errors.strange(LimitExceeded::Kept.to_string()));
    }
    ids::make_unique(&mut calls, request.messages, request.attempt.step);
    let finish = ending::finish(Some(reason.raw()), !calls.is_empty());
    Ok(errors.without_keys(ModelReply {
        content: content.whole,
        finish: finish
            .map_err(|BrokenOff(word)| errors.broken(say!("the server interrupted the answer ({word})")))?,
        calls,
        usage: end.captured_usage.as_ref().and_then(usage),
        first_token,
        latency,
        opaque,
        left_out: None,
        written: None,
        message: None,
    }))
}

/// Empty reply for an answer that the provider withheld.
fn nothing(latency: Duration) -> ModelReply {
    ModelReply {
        content: String::new(),
        calls: Vec::new(),
        usage: None,
        finish: FinishReason::ContentFilter,
        first_token: None,
        latency,
        opaque: None,
        left_out: None,
        written: None,
        message: None,
    }
}

/// Token counts. `None` unless both counts are reported or follow from the total: an unknown count
/// is not zero.
fn usage(usage: &Usage) -> Option<ports::Usage> {
    let count = |tokens: Option<i32>| tokens.and_then(|tokens| u64::try_from(tokens).ok());
    let (prompt, completion) = (count(usage.prompt_tokens), count(usage.completion_tokens));
    let total = count(usage.total_tokens);
    let rest = |known: Option<u64>| total?.checked_sub(known?);
    let prompt_tokens = prompt.or_else(|| rest(completion))?;
    let completion_tokens = completion.or_else(|| rest(prompt))?;
    Some(ports::Usage {
        prompt_tokens,
        completion_tokens,
        total_tokens: total.unwrap_or(prompt_tokens.saturating_add(completion_tokens)),
    })
}
