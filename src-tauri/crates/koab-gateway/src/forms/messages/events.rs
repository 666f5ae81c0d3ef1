//! Streamed answers in the form of Anthropic's "streaming messages". The name of each event equals
//! the type in its data.

use crate::forms::stream_writer::{StreamWriter, rest};
use serde_json::{Value, json};

/// Writer of a streamed message.
pub(in crate::forms) struct Events {
    /// Number of blocks that have been started.
    blocks: usize,
    /// Number of text bytes that have been sent.
    sent_bytes: usize,
}

impl Events {
    /// Starts a streamed message. Returns its first event, and the writer of the remaining events.
    pub(in crate::forms) fn begin(empty: &Value) -> (String, Self) {
        let mut message = empty.clone();
        message["content"] = json!([]);
        message["stop_reason"] = Value::Null;
        message["stop_sequence"] = Value::Null;
        message["usage"]["output_tokens"] = 1.into();
        let begin = event(&json!({"type": "message_start", "message": message}));
        (begin, Self { blocks: 0, sent_bytes: 0 })
    }

    fn start(&mut self, block: &Value) -> String {
        self.blocks += 1;
        event(&json!({"type": "content_block_start", "index": self.blocks - 1, "content_block": block}))
    }

    fn delta(&self, delta: &Value) -> String {
        event(&json!({"type": "content_block_delta", "index": self.blocks - 1, "delta": delta}))
    }

    fn stop(&self) -> String {
        event(&json!({"type": "content_block_stop", "index": self.blocks - 1}))
    }
}

impl StreamWriter for Events {
    fn text(&mut self, piece: &str) -> String {
        if piece.is_empty() {
            return String::new();
        }
        let start = match self.sent_bytes {
            0 => self.start(&json!({"type": "text", "text": ""})),
            _ => String::new(),
        };
        self.sent_bytes += piece.len();
        start + &self.delta(&json!({"type": "text_delta", "text": piece}))
    }

    fn finish(&mut self, whole: &Value) -> String {
        let mut events = String::new();
        let mut calls = Vec::new();
        for block in whole["content"].as_array().into_iter().flatten() {
            match block["text"].as_str() {
                Some(text) => events += &self.text(rest(text, self.sent_bytes)),
                None => calls.push(block),
            }
        }
        if self.blocks > 0 {
            events += &self.stop();
        }
        for call in calls {
            let mut block = call.clone();
            block["input"] = json!({});
            events += &self.start(&block);
            let input = call["input"].to_string();
            events += &self.delta(&json!({"type": "input_json_delta", "partial_json": input}));
            events += &self.stop();
        }
        let usage = &whole["usage"];
        events += &event(&json!({
            "type": "message_delta",
            "delta": {"stop_reason": whole["stop_reason"], "stop_sequence": whole["stop_sequence"]},
            "usage": {"input_tokens": usage["input_tokens"], "output_tokens": usage["output_tokens"]},
        }));
        events + &event(&json!({"type": "message_stop"}))
    }

    fn broken(&mut self, error: &Value) -> String {
        event(error)
    }
}

fn event(data: &Value) -> String {
    let name = data["type"].as_str().unwrap_or_default();
    format!("event: {name}\ndata: {data}\n\n")
}
