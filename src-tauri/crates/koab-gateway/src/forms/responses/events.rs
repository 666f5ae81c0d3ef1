//! Streamed answers in the form of Responses' "streaming events". All kinds of events are sent,
//! since clients need different ones.

use crate::forms::stream_writer::{StreamWriter, rest};
use serde_json::{Value, json};

/// Writer of a streamed response.
pub(in crate::forms) struct Events {
    sequence: u64,
    /// Response at the start of the stream.
    begun: Value,
    /// Id of the message. A response has at most one.
    message: String,
    /// Number of items that have been started.
    items: usize,
    /// Number of text bytes that have been sent.
    sent_bytes: usize,
}

impl Events {
    /// Starts a streamed response. Returns its first events, and the writer of the remaining
    /// events.
    pub(in crate::forms) fn begin(empty: &Value) -> (String, Self) {
        let mut events = Self {
            sequence: 0,
            begun: Value::Null,
            message: empty["id"].as_str().unwrap_or_default().replace("resp_", "msg_"),
            items: 0,
            sent_bytes: 0,
        };
        let mut response = empty.clone();
        response["status"] = "in_progress".into();
        response["output"] = json!([]);
        response["usage"] = Value::Null;
        response["incomplete_details"] = Value::Null;
        let created = events.event("response.created", json!({"response": response}));
        let begin = created + &events.event("response.in_progress", json!({"response": response}));
        events.begun = response;
        (begin, events)
    }

    fn event(&mut self, kind: &str, fields: Value) -> String {
        let mut event = json!({"type": kind, "sequence_number": self.sequence});
        if let (Some(event), Value::Object(fields)) = (event.as_object_mut(), fields) {
            event.extend(fields);
        }
        self.sequence += 1;
        format!("event: {kind}\ndata: {event}\n\n")
    }

    /// An event about the text.
    fn of_text(&mut self, kind: &str, name: &str, value: Value) -> String {
        let mut fields = json!({"item_id": self.message, "output_index": 0, "content_index": 0});
        fields[name] = value;
        if name != "part" {
            fields["logprobs"] = json!([]);
        }
        self.event(kind, fields)
    }

    fn begin_text(&mut self) -> String {
        self.items = 1;
        let item = json!({
            "type": "message", "id": self.message, "status": "in_progress", "role": "assistant", "content": [],
        });
        let part = json!({"type": "output_text", "text": "", "annotations": [], "logprobs": []});
        let added = self.event("response.output_item.added", json!({"output_index": 0, "item": item}));
        added + &self.of_text("response.content_part.added", "part", part)
    }

    fn end_text(&mut self, item: &Value) -> String {
        let part = &item["content"][0];
        let done = self.of_text("response.output_text.done", "text", part["text"].clone());
        let part = self.of_text("response.content_part.done", "part", part.clone());
        let item = self.event("response.output_item.done", json!({"output_index": 0, "item": item}));
        done + &part + &item
    }

    fn call(&mut self, item: &Value) -> String {
        let at = self.items;
        self.items += 1;
        let (field, kind) = match item.get("input") {
            Some(_) => ("input", "response.custom_tool_call_input"),
            None => ("arguments", "response.function_call_arguments"),
        };
        let mut started = item.clone();
        started[field] = "".into();
        started["status"] = "in_progress".into();
        let mut events =
            self.event("response.output_item.added", json!({"output_index": at, "item": started}));
        let of = json!({"item_id": item["id"], "output_index": at});
        let mut delta = of.clone();
        delta["delta"] = item[field].clone();
        events += &self.event(&format!("{kind}.delta"), delta);
        let mut done = of;
        done["name"] = item["name"].clone();
        done[field] = item[field].clone();
        events += &self.event(&format!("{kind}.done"), done);
        events + &self.event("response.output_item.done", json!({"output_index": at, "item": item}))
    }
}

impl StreamWriter for Events {
    fn text(&mut self, piece: &str) -> String {
        if piece.is_empty() {
            return String::new();
        }
        let begin = match self.sent_bytes {
            0 => self.begin_text(),
            _ => String::new(),
        };
        self.sent_bytes += piece.len();
        begin + &self.of_text("response.output_text.delta", "delta", piece.into())
    }

    fn finish(&mut self, whole: &Value) -> String {
        let mut events = String::new();
        for item in whole["output"].as_array().into_iter().flatten() {
            if item["type"] == "message" {
                let text = item["content"][0]["text"].as_str().unwrap_or_default();
                events += &self.text(rest(text, self.sent_bytes));
                events += &self.end_text(item);
            } else {
                events += &self.call(item);
            }
        }
        let kind = match whole["status"].as_str() {
            Some("incomplete") => "response.incomplete",
            _ => "response.completed",
        };
        events + &self.event(kind, json!({"response": whole}))
    }

    fn broken(&mut self, error: &Value) -> String {
        let mut response = std::mem::take(&mut self.begun);
        response["status"] = "failed".into();
        response["error"] = json!({"code": "server_error", "message": error["error"]["message"]});
        self.event("response.failed", json!({"response": response}))
    }
}
