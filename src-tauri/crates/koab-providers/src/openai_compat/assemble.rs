//! Puts an answer together from its pieces.

use crate::http::{KEPT_BYTES, kept_of, size};
use crate::ids;
use crate::openai_compat::chunk::{CallFragment, Choice, Chunk, Content, Delta};
use crate::openai_compat::opaque::Details;
use koab_engine::ports::{FinishReason, Message, Opaque, RequestedCall, Usage};
use serde_json::{Value, json};

/// An answer in the making.
#[derive(Debug, Default)]
pub(super) struct Answer {
    content: String,
    refusal: String,
    calls: Vec<Slot>,
    /// Whether text, if only the empty one, and a list of calls were there.
    has_text: bool,
    has_calls: bool,
    finish: Option<String>,
    usage: Option<Usage>,
    choices: bool,
    kept: Details,
    /// Bytes of all that is kept, about, the earlier answers of the conversation included.
    bytes: usize,
}

/// A tool call in the making.
#[derive(Debug, Default)]
struct Slot {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    extra: Option<Value>,
}

/// What a finished answer consists of.
#[derive(Debug)]
pub(super) struct AssembledReply {
    pub(super) content: String,
    pub(super) calls: Vec<RequestedCall>,
    pub(super) finish: FinishReason,
    pub(super) usage: Option<Usage>,
    pub(super) opaque: Option<Opaque>,
    pub(super) message: Value,
}

impl Answer {
    /// An answer in this conversation.
    pub(super) fn after(messages: &[Message]) -> Self {
        Answer {
            bytes: kept_of(messages),
            ..Answer::default()
        }
    }

    /// Takes one event in. True when it carried output of the model: text, reasoning or a piece of a tool call. Role
    /// announcements, pings and usage are none.
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
        self.choices = true;
        if let Some(reason) = text(choice.finish_reason.as_ref()) {
            self.finish = Some(reason.to_owned());
        }
        let delta = choice
            .delta
            .as_ref()
            .is_some_and(|delta| self.push_delta(delta, false));
        let message = choice
            .message
            .as_ref()
            .is_some_and(|message| self.push_delta(message, true));
        delta || message
    }

    fn push_delta(&mut self, delta: &Delta<'_>, whole: bool) -> bool {
        let mut output = delta.reasons();
        if let Some(details) = &delta.reasoning_details
            && self.has_room(size(details))
        {
            self.kept.push(details);
        }
        self.has_text |= delta.content.as_ref().is_some_and(Content::is_text);
        self.has_calls |= delta.tool_calls.is_some();
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
        for fragment in delta.tool_calls.iter().flatten() {
            output |= self.push_call(fragment, whole);
        }
        output
    }

    fn push_call(&mut self, fragment: &CallFragment, whole: bool) -> bool {
        let (id, name, arguments) = (fragment.id(), fragment.name(), fragment.arguments());
        if id.is_none() && name.is_none() && arguments.is_none() {
            return false;
        }
        let extra = fragment.extra_content.as_ref().filter(|extra| !extra.is_null());
        let texts = [id.as_deref(), name, arguments.as_deref()];
        let bytes: usize = texts.into_iter().flatten().map(str::len).sum();
        if !self.has_room(size_of::<Slot>() + bytes + extra.map_or(0, size)) {
            return true;
        }
        let known = if whole { None } else { self.slot_for(fragment) };
        let at = known.unwrap_or_else(|| {
            self.calls.push(Slot {
                index: fragment.index(),
                ..Slot::default()
            });
            self.calls.len() - 1
        });
        let slot = &mut self.calls[at];
        if let Some(id) = id.filter(|_| slot.id.is_empty()) {
            slot.id = id.into_owned();
        }
        // Some servers repeat the whole name with every piece of the arguments.
        if let Some(name) = name.filter(|name| *name != slot.name) {
            slot.name.push_str(name);
        }
        if let Some(arguments) = arguments {
            slot.arguments.push_str(&arguments);
        }
        if let Some(extra) = extra {
            slot.extra = Some(extra.clone());
        }
        true
    }

    /// The call that a piece continues, or `None` when it begins one.
    fn slot_for(&self, fragment: &CallFragment) -> Option<usize> {
        let at = match fragment.index() {
            Some(index) => self.calls.iter().rposition(|slot| slot.index == Some(index))?,
            None => match fragment.id() {
                Some(id) => return self.calls.iter().rposition(|slot| slot.id == id),
                None => self.calls.len().checked_sub(1)?,
            },
        };
        let slot = &self.calls[at];
        // Servers are known that give every parallel call the index 0, or none at all; a new id, or a name after
        // complete arguments, tells the calls apart then.
        let other_id = fragment
            .id()
            .is_some_and(|id| !slot.id.is_empty() && slot.id != id)
            && fragment.name().is_some();
        let next = fragment.index().is_none() && fragment.name().is_some() && is_json(&slot.arguments);
        (!other_id && !next).then_some(at)
    }

    /// Its text so far.
    pub(super) fn text(&self) -> &str {
        &self.content
    }

    /// Whether the server said how the answer ended.
    pub(super) fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    /// Whether more came, in however many events, than is kept of answers.
    pub(super) fn is_too_long(&self) -> bool {
        self.bytes > KEPT_BYTES
    }

    /// Counts more to be kept, and says whether there is room for it.
    fn has_room(&mut self, more: usize) -> bool {
        self.bytes = self.bytes.saturating_add(more);
        !self.is_too_long()
    }

    /// Whether there was any choice at all, be it an empty one.
    pub(super) fn has_choices(&self) -> bool {
        self.choices
    }

    /// The message as it came, ids included, in the order of its calls.
    fn message(&self) -> Value {
        let call = |slot: &Slot| {
            let function = json!({ "name": slot.name, "arguments": slot.arguments });
            json!({ "id": slot.id, "type": "function", "function": function })
        };
        let content = self.has_text.then_some(self.content.as_str());
        let mut message = json!({ "role": "assistant", "content": content });
        if !self.refusal.is_empty() {
            message["refusal"] = self.refusal.as_str().into();
        }
        if self.has_calls {
            message["tool_calls"] = self.calls.iter().map(call).collect();
        }
        message
    }

    /// The whole answer. Calls come in the order of their index; ids that are missing, or used before in this
    /// conversation, are replaced by ids made of the model turn and the call's place in it.
    pub(super) fn assemble(mut self, messages: &[Message], step: u32) -> AssembledReply {
        self.calls.sort_by_key(|slot| slot.index.unwrap_or(u64::MAX));
        let message = self.message();
        let (mut calls, extras): (Vec<RequestedCall>, Vec<Option<Value>>) = self
            .calls
            .into_iter()
            .map(|slot| {
                let call = RequestedCall {
                    id: slot.id,
                    name: slot.name,
                    arguments: slot.arguments,
                };
                (call, slot.extra)
            })
            .unzip();
        ids::make_unique(&mut calls, messages, step);
        let finish = finish(self.finish, !calls.is_empty());
        // A refusal is what the model said; without it the answer would look empty.
        let content = if self.content.is_empty() {
            self.refusal
        } else {
            self.content
        };
        AssembledReply {
            content,
            calls,
            message,
            finish,
            usage: self.usage,
            opaque: self.kept.into_opaque(extras),
        }
    }
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

fn finish(reason: Option<String>, calls: bool) -> FinishReason {
    match reason.as_deref().map(str::to_ascii_lowercase).as_deref() {
        // Several servers end a turn of tool calls with a plain stop.
        Some("stop") if calls => FinishReason::ToolCalls,
        Some("stop" | "end_turn" | "stop_sequence" | "eos") => FinishReason::Stop,
        Some("tool_calls" | "function_call" | "tool_use") => FinishReason::ToolCalls,
        Some("length" | "max_tokens" | "model_length") => FinishReason::Length,
        Some("content_filter" | "safety") => FinishReason::ContentFilter,
        _ => FinishReason::Other(reason),
    }
}

/// The text of a field, when it is one and not empty.
fn text(value: Option<&Value>) -> Option<&str> {
    value?.as_str().filter(|text| !text.is_empty())
}

/// Token counts. `None` unless both that matter are stated or follow from the total: an unknown count is not a zero.
fn usage(value: &Value) -> Option<Usage> {
    let count = |field: &str| {
        value
            .get(field)
            .and_then(Value::as_f64)
            .map(|n| n.max(0.0) as u64)
    };
    let total = count("total_tokens");
    let rest = |known: Option<u64>| total?.checked_sub(known?);
    let (prompt, completion) = (count("prompt_tokens"), count("completion_tokens"));
    let prompt_tokens = prompt.or_else(|| rest(completion))?;
    let completion_tokens = completion.or_else(|| rest(prompt))?;
    let total_tokens = total.unwrap_or(prompt_tokens.saturating_add(completion_tokens));
    Some(Usage {
        prompt_tokens,
        completion_tokens,
        total_tokens,
    })
}

#[cfg(test)]
mod tests;
