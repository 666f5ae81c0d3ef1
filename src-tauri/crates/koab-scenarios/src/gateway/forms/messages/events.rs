//! An answer as "streaming messages". The event's name and the type inside agree.

use crate::gateway::forms::stream_writer::{StreamWriter, rest};
use serde_json::{Value, json};

/// Tells a message.
pub(in crate::gateway::forms) struct Events {
    /// Blocks that are begun.
    blocks: usize,
    /// Bytes of the text that are told.
    told: usize,
}

impl Events {
    /// Begins to tell a message.
    pub(in crate::gateway::forms) fn begin(empty: &Value) -> (String, Self) {
        let mut message = empty.clone();
        message["content"] = json!([]);
        message["stop_reason"] = Value::Null;
        message["stop_sequence"] = Value::Null;
        message["usage"]["output_tokens"] = 1.into();
        let begin = named(&json!({"type": "message_start", "message": message}));
        (begin, Self { blocks: 0, told: 0 })
    }

    fn start(&mut self, block: &Value) -> String {
        self.blocks += 1;
        named(&json!({"type": "content_block_start", "index": self.blocks - 1, "content_block": block}))
    }

    fn delta(&self, delta: &Value) -> String {
        named(&json!({"type": "content_block_delta", "index": self.blocks - 1, "delta": delta}))
    }

    fn stop(&self) -> String {
        named(&json!({"type": "content_block_stop", "index": self.blocks - 1}))
    }
}

impl StreamWriter for Events {
    fn text(&mut self, piece: &str) -> String {
        if piece.is_empty() {
            return String::new();
        }
        let start = match self.told {
            0 => self.start(&json!({"type": "text", "text": ""})),
            _ => String::new(),
        };
        self.told += piece.len();
        start + &self.delta(&json!({"type": "text_delta", "text": piece}))
    }

    fn finish(&mut self, whole: &Value) -> String {
        let mut told = String::new();
        let mut calls = Vec::new();
        for block in whole["content"].as_array().into_iter().flatten() {
            match block["text"].as_str() {
                Some(text) => told += &self.text(rest(text, self.told)),
                None => calls.push(block),
            }
        }
        if self.blocks > 0 {
            told += &self.stop();
        }
        for call in calls {
            let mut begun = call.clone();
            begun["input"] = json!({});
            told += &self.start(&begun);
            let input = call["input"].to_string();
            told += &self.delta(&json!({"type": "input_json_delta", "partial_json": input}));
            told += &self.stop();
        }
        let usage = &whole["usage"];
        told += &named(&json!({
            "type": "message_delta",
            "delta": {"stop_reason": whole["stop_reason"], "stop_sequence": whole["stop_sequence"]},
            "usage": {"input_tokens": usage["input_tokens"], "output_tokens": usage["output_tokens"]},
        }));
        told + &named(&json!({"type": "message_stop"}))
    }

    fn broken(&mut self, error: &Value) -> String {
        named(error)
    }
}

fn named(data: &Value) -> String {
    let name = data["type"].as_str().unwrap_or_default();
    format!("event: {name}\ndata: {data}\n\n")
}
