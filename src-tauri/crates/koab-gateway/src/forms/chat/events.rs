//! Streamed answers in the form of Chat's "chat completion chunk objects".

use crate::forms::stream_writer::{StreamWriter, data, rest};
use crate::request::AnswerFormat;
use serde_json::{Value, json};

/// Writer of a streamed completion.
pub(in crate::forms) struct Events {
    /// Id, time and model, which every chunk contains.
    chunk: Value,
    usage: bool,
    /// Number of text bytes that have been sent.
    sent_bytes: usize,
}

impl Events {
    /// Starts a streamed completion. Returns its first chunk, and the writer of the remaining
    /// chunks.
    pub(in crate::forms) fn begin(empty: &Value, format: AnswerFormat) -> (String, Self) {
        let chunk = json!({
            "id": empty["id"],
            "object": "chat.completion.chunk",
            "created": empty["created"],
            "model": empty["model"],
        });
        let events = Self { chunk, usage: format.usage, sent_bytes: 0 };
        let role = json!({"role": "assistant", "content": ""});
        (events.delta(&role, &Value::Null), events)
    }

    fn delta(&self, delta: &Value, finish: &Value) -> String {
        let choice = json!({"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish});
        // When usage is requested, every chunk has the field, and only the last one has a value.
        self.event(json!([choice]), &Value::Null)
    }

    fn event(&self, choices: Value, usage: &Value) -> String {
        let mut chunk = self.chunk.clone();
        chunk["choices"] = choices;
        if self.usage {
            chunk["usage"] = usage.clone();
        }
        data(&chunk)
    }
}

impl StreamWriter for Events {
    fn text(&mut self, piece: &str) -> String {
        if piece.is_empty() {
            return String::new();
        }
        self.sent_bytes += piece.len();
        self.delta(&json!({"content": piece}), &Value::Null)
    }

    fn finish(&mut self, whole: &Value) -> String {
        let choice = &whole["choices"][0];
        let message = &choice["message"];
        let text = message["content"].as_str().unwrap_or_default();
        let mut events = self.text(rest(text, self.sent_bytes));
        for (at, call) in message["tool_calls"].as_array().into_iter().flatten().enumerate() {
            let mut call = call.clone();
            call["index"] = at.into();
            events += &self.delta(&json!({"tool_calls": [call]}), &Value::Null);
        }
        events += &self.delta(&json!({}), &choice["finish_reason"]);
        if self.usage {
            events += &self.event(json!([]), &whole["usage"]);
        }
        events + "data: [DONE]\n\n"
    }

    fn broken(&mut self, error: &Value) -> String {
        data(error)
    }
}
