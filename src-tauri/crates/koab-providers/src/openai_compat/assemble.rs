//! Assembles an answer from its pieces.

use crate::ending::{self, BrokenOff};
use crate::http::{KEPT_BYTES, kept_of, size};
use crate::ids;
use crate::openai_compat::calls::Calls;
use crate::openai_compat::chunk::{Choice, Chunk, Content, Delta};
use crate::openai_compat::opaque::Details;
use koab_core::python::joined;
use koab_core::tool::ToolSpec;
use koab_engine::ports::{FinishReason, Message, Opaque, RequestedCall, Usage};
use serde_json::{Value, json};

/// An answer while it is assembled.
#[derive(Debug, Default)]
pub(super) struct Answer<'a> {
    content: String,
    refusal: String,
    calls: Calls<'a>,
    /// Whether the answer has a text (even an empty one).
    has_text: bool,
    has_calls: bool,
    finish: Option<String>,
    usage: Option<Usage>,
    /// Index of the choice that is read; `None` until a choice came.
    choice: Option<u64>,
    kept: Details,
    /// Whether any part of the answer came as a streamed piece instead of a whole message.
    has_pieces: bool,
    /// Whether the server replaced the text by another text with a different beginning.
    is_rewritten: bool,
    /// Approximate bytes that are kept, including the earlier answers of the conversation.
    bytes: usize,
}

/// A finished answer.
#[derive(Debug)]
pub(super) struct AssembledReply {
    pub(super) content: String,
    pub(super) calls: Vec<RequestedCall>,
    pub(super) finish: FinishReason,
    pub(super) usage: Option<Usage>,
    pub(super) opaque: Option<Opaque>,
    pub(super) message: Value,
}

impl<'a> Answer<'a> {
    /// Creates an answer in this conversation, by a model that was offered these tools.
    pub(super) fn after(messages: &[Message], tools: &'a [ToolSpec]) -> Self {
        Answer { bytes: kept_of(messages), calls: Calls::of(tools), ..Answer::default() }
    }

    /// Adds one event. Returns true if it contained output of the model: text, reasoning or a piece
    /// of a tool call. Role announcements, pings and usage are not output.
    pub(super) fn push(&mut self, chunk: &Chunk<'_>) -> bool {
        if let Some(usage) = chunk.usage.as_ref().and_then(usage) {
            self.usage = Some(usage);
        }
        chunk
            .choices
            .as_ref()
            .and_then(|choices| choices.0.as_ref())
            .is_some_and(|choice| self.push_choice(choice))
    }

    fn push_choice(&mut self, choice: &Choice<'_>) -> bool {
        // One choice was requested. Events of other choices are ignored.
        let index = choice.index.as_ref().and_then(Value::as_u64).unwrap_or_default();
        if *self.choice.get_or_insert(index) != index {
            return false;
        }
        if let Some(reason) = text(choice.finish_reason.as_ref()) {
            self.finish = Some(reason.to_owned());
        }
        let delta = choice.delta.as_ref().is_some_and(|delta| self.push_delta(delta, false));
        self.has_pieces |= delta;
        let message = choice.message.as_ref().is_some_and(|message| {
            self.make_room_for(message);
            self.push_delta(message, true)
        });
        delta || message
    }

    /// Drops the parts of the answer that a whole message repeats.
    ///
    /// Some servers end a stream with a message that contains all that they have sent. Others send
    /// every piece as a message; such a message does not begin with the text so far, so nothing is
    /// dropped.
    fn make_room_for(&mut self, message: &Delta<'_>) {
        let text_of = |content: &Content<'_>| content.to_text().into_owned();
        let whole = message.content.as_ref().map(text_of).unwrap_or_default();
        let is_same = whole.starts_with(&self.content);
        if !whole.is_empty() && (self.has_pieces || is_same) {
            self.is_rewritten |= !is_same;
            self.bytes -= self.bytes.min(self.content.len());
            self.content.clear();
        }
        if let Some(call) = message.calls().next()
            && (self.has_pieces || self.calls.begin_with(call))
        {
            self.calls.clear();
        }
        if self.has_pieces && text(message.refusal.as_ref()).is_some() {
            self.refusal.clear();
        }
        let has_details = message.reasoning_details.as_ref().is_some_and(Value::is_array);
        if self.has_pieces && has_details {
            self.kept = Details::default();
        }
    }

    fn push_delta(&mut self, delta: &Delta<'_>, is_whole: bool) -> bool {
        let mut output = delta.reasons();
        if let Some(details) = &delta.reasoning_details
            && self.has_room(size(details))
        {
            self.kept.push(details);
        }
        self.has_text |= delta.content.as_ref().is_some_and(Content::is_text);
        self.has_calls |= delta.tool_calls.is_some() || delta.function_call.is_some();
        if let Some(content) = &delta.content {
            content.for_each_text(|text| {
                output = true;
                if self.has_room(text.len()) {
                    self.content.push_str(text);
                }
            });
        }
        if let Some(refusal) = text(delta.refusal.as_ref()) {
            output = true;
            if self.has_room(refusal.len()) {
                self.refusal.push_str(refusal);
            }
        }
        for fragment in delta.calls() {
            output = true;
            if self.has_room(fragment.size()) {
                self.calls.push(fragment, is_whole);
            }
        }
        output
    }

    /// The text after the first `heard` bytes, which were already passed on. Empty if the server
    /// replaced the text.
    pub(super) fn unheard(&self, heard: usize) -> &str {
        if self.is_rewritten { "" } else { self.content.get(heard..).unwrap_or_default() }
    }

    /// The text so far.
    pub(super) fn text(&self) -> &str {
        &self.content
    }

    /// Whether the server sent a finish reason.
    pub(super) fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    /// Whether the answer exceeds the limit of kept bytes, over all its events.
    pub(super) fn is_too_long(&self) -> bool {
        self.bytes > KEPT_BYTES
    }

    /// Adds to the number of stored bytes, and returns whether it is still within the limit.
    fn has_room(&mut self, more: usize) -> bool {
        self.bytes = self.bytes.saturating_add(more);
        !self.is_too_long()
    }

    /// Whether the server sent any choice, even an empty one.
    pub(super) fn has_choices(&self) -> bool {
        self.choice.is_some()
    }

    /// The message as the server sent it, including ids, in the order of its calls.
    fn message(&self) -> Value {
        let content = self.has_text.then(|| joined(&self.content));
        let mut message = json!({ "role": "assistant", "content": content });
        if !self.refusal.is_empty() {
            message["refusal"] = self.refusal.as_str().into();
        }
        if self.has_calls {
            message["tool_calls"] = self.calls.to_json();
        }
        message
    }

    /// The whole answer, with calls in the order of their index. Ids that are missing or already
    /// used in this conversation are replaced, see [`ids::make_unique`].
    ///
    /// # Errors
    /// When the server says that it aborted its answer.
    pub(super) fn assemble(mut self, messages: &[Message], step: u32) -> Result<AssembledReply, BrokenOff> {
        self.calls.order();
        let message = self.message();
        let finish = ending::finish(self.finish.as_deref(), !self.calls.is_empty())?;
        let (mut calls, extras) = self.calls.into_requested(finish == FinishReason::Length);
        ids::make_unique(&mut calls, messages, step);
        // A refusal is the model's text; without it the answer would look empty.
        let content = if self.content.is_empty() { self.refusal } else { self.content };
        // Servers that count UTF-16 units, as JavaScript does, split some characters into two
        // events.
        let content = joined(&content);
        Ok(AssembledReply {
            content,
            calls,
            message,
            finish,
            usage: self.usage,
            opaque: self.kept.into_opaque(extras),
        })
    }
}

/// The text of a field, if it is a text and not empty.
fn text(value: Option<&Value>) -> Option<&str> {
    value?.as_str().filter(|text| !text.is_empty())
}

/// Token counts. `None` unless both counts are reported or follow from the total: an unknown count
/// is not zero.
fn usage(value: &Value) -> Option<Usage> {
    let count = |field: &str| value.get(field).and_then(Value::as_f64).map(|n| n.max(0.0) as u64);
    let total = count("total_tokens");
    let rest = |known: Option<u64>| total?.checked_sub(known?);
    let (prompt, completion) = (count("prompt_tokens"), count("completion_tokens"));
    let prompt_tokens = prompt.or_else(|| rest(completion))?;
    let completion_tokens = completion.or_else(|| rest(prompt))?;
    let total_tokens = total.unwrap_or(prompt_tokens.saturating_add(completion_tokens));
    Some(Usage { prompt_tokens, completion_tokens, total_tokens })
}

#[cfg(test)]
mod tests;
