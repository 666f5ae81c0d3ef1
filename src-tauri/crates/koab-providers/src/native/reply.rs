//! An answer out of a stream of `genai`, timed.

use crate::http::Errors;
use crate::ids;
use crate::native::{Protocol, fault, opaque};
use futures_util::StreamExt as _;
use genai::chat::{
    ChatFrameSink, ChatStream, ChatStreamEvent, FrameCtx, RawFrameRef, StopReason, ToolCall, Usage,
};
use koab_engine::ports::{self, FinishReason, ModelError, ModelReply, ModelRequest, RequestedCall};
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Whether the provider withheld its answer because of the prompt. `genai` makes that an error that names no reason, so it
/// is read from the event itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Withheld(Arc<Mutex<bool>>);

impl Withheld {
    fn is_set(&self) -> bool {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ChatFrameSink for Withheld {
    fn on_frame(&self, _: &FrameCtx, frame: RawFrameRef<'_>) {
        // Most events are not parsed a second time.
        let blocked = frame.data.contains("blockReason")
            && serde_json::from_str::<Value>(frame.data)
                .is_ok_and(|event| event.pointer("/promptFeedback/blockReason").is_some());
        if blocked {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        }
    }
}

/// Calls in the making.
#[derive(Default)]
struct Calls(Vec<RequestedCall>);

impl Calls {
    /// Takes a chunk in. Arguments come as an object at once, or as their text so far, which begins empty.
    fn push(&mut self, call: ToolCall) {
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
            last.arguments = arguments;
            return;
        }
        self.0.push(RequestedCall {
            id: call.call_id,
            name: call.fn_name,
            arguments,
        });
    }

    fn finished(mut self, protocol: Protocol, cut_off: bool) -> Vec<RequestedCall> {
        for call in &mut self.0 {
            // A call without arguments comes without a single piece of them; one that was cut off before its first does
            // too, and is not whole.
            if call.arguments.is_empty() && !cut_off {
                call.arguments.push_str("{}");
            }
            // Made up by `genai`, and the same in every turn.
            if matches!(protocol, Protocol::Gemini | Protocol::Vertex) && call.id.starts_with("call#") {
                call.id.clear();
            }
        }
        self.0
    }
}

/// Reads one answer. `sent` is when its request went out.
///
/// # Errors
/// As [`ModelError`] has them; a stream that ends without saying how counts as broken.
pub(super) async fn read(
    mut stream: ChatStream,
    sent: Instant,
    request: &ModelRequest<'_>,
    protocol: Protocol,
    withheld: &Withheld,
    errors: &Errors,
) -> Result<ModelReply, ModelError> {
    let (mut content, mut calls, mut first_token) = (String::new(), Calls::default(), None);
    let mut ended = None;
    while let Some(event) = stream.next().await {
        let output = match event {
            Ok(ChatStreamEvent::Chunk(chunk)) => {
                content.push_str(&chunk.content);
                !chunk.content.is_empty()
            }
            Ok(ChatStreamEvent::ReasoningChunk(chunk)) => !chunk.content.is_empty(),
            Ok(ChatStreamEvent::ToolCallChunk(chunk)) => {
                calls.push(chunk.tool_call);
                true
            }
            Ok(ChatStreamEvent::End(end)) => {
                ended = Some((end, sent.elapsed()));
                break;
            }
            Ok(
                ChatStreamEvent::Start
                | ChatStreamEvent::Heartbeat
                | ChatStreamEvent::ThoughtSignatureChunk(_),
            ) => false,
            Err(_) if withheld.is_set() => return Ok(nothing(sent.elapsed())),
            Err(error) => return Err(fault::named(error, errors)),
        };
        if output && first_token.is_none() {
            first_token = Some(sent.elapsed());
        }
    }
    // The body's end is usually there already; with it the connection can be used again.
    let _ = tokio::time::timeout(Duration::from_millis(5), stream.next()).await;
    let Some((end, latency)) = ended else {
        return Err(errors.broken("the stream ended before the answer did"));
    };
    let Some(reason) = end.captured_stop_reason else {
        return Err(errors.broken("the stream ended before the answer did"));
    };
    let mut calls = calls.finished(protocol, reason.is_max_tokens());
    ids::make_unique(&mut calls, request.messages, request.attempt.step);
    Ok(ModelReply {
        content,
        finish: finish(reason, !calls.is_empty()),
        calls,
        usage: end.captured_usage.as_ref().and_then(usage),
        first_token,
        latency,
        opaque: opaque::kept(end.captured_content, protocol),
        left_out: None,
    })
}

/// The answer that was withheld.
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
    }
}

fn finish(reason: StopReason, calls: bool) -> FinishReason {
    match reason {
        StopReason::Completed(_) if calls => FinishReason::ToolCalls,
        StopReason::Completed(_) | StopReason::StopSequence(_) => FinishReason::Stop,
        StopReason::ToolCall(_) => FinishReason::ToolCalls,
        StopReason::MaxTokens(_) => FinishReason::Length,
        StopReason::ContentFilter(_) => FinishReason::ContentFilter,
        // Converse's words, which `genai` does not sort.
        StopReason::Other(reason) if matches!(&*reason, "guardrail_intervened" | "content_filtered") => {
            FinishReason::ContentFilter
        }
        StopReason::Other(reason) => FinishReason::Other(Some(reason)),
    }
}

/// Token counts. `None` unless both that matter are stated or follow from the total: an unknown count is no zero.
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
