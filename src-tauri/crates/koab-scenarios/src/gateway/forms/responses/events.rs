//! An answer as "streaming events" of Responses. All kinds of events are told: which of them a
//! client needs differs.

use crate::gateway::forms::stream_writer::{StreamWriter, rest};
use serde_json::{Value, json};

/// Tells a response.
pub(in crate::gateway::forms) struct Events {
    sequence: u64,
    /// The response as it was begun.
    begun: Value,
    /// Id of the message, of which there is one at most.
    message: String,
    /// Items that are begun.
    items: usize,
    /// Bytes of the text that are told.
    told: usize,
}

impl Events {
    /// Begins to tell a response.
    pub(in crate::gateway::forms) fn begin(empty: &Value) -> (String, Self) {
        let mut events = Self {
            sequence: 0,
            begun: Value::Null,
            message: empty["id"].as_str().unwrap_or_default().replace("resp_", "msg_"),
            items: 0,
            told: 0,
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

    /// An event of the text.
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
        let mut begun = item.clone();
        begun[field] = "".into();
        begun["status"] = "in_progress".into();
        let mut told = self.event("response.output_item.added", json!({"output_index": at, "item": begun}));
        let of = json!({"item_id": item["id"], "output_index": at});
        let mut delta = of.clone();
        delta["delta"] = item[field].clone();
        told += &self.event(&format!("{kind}.delta"), delta);
        let mut done = of;
        done["name"] = item["name"].clone();
        done[field] = item[field].clone();
        told += &self.event(&format!("{kind}.done"), done);
        told + &self.event("response.output_item.done", json!({"output_index": at, "item": item}))
    }
}

impl StreamWriter for Events {
    fn text(&mut self, piece: &str) -> String {
        if piece.is_empty() {
            return String::new();
        }
        let begin = match self.told {
            0 => self.begin_text(),
            _ => String::new(),
        };
        self.told += piece.len();
        begin + &self.of_text("response.output_text.delta", "delta", piece.into())
    }

    fn finish(&mut self, whole: &Value) -> String {
        let mut told = String::new();
        for item in whole["output"].as_array().into_iter().flatten() {
            if item["type"] == "message" {
                let text = item["content"][0]["text"].as_str().unwrap_or_default();
                told += &self.text(rest(text, self.told));
                told += &self.end_text(item);
            } else {
                told += &self.call(item);
            }
        }
        let kind = match whole["status"].as_str() {
            Some("incomplete") => "response.incomplete",
            _ => "response.completed",
        };
        told + &self.event(kind, json!({"response": whole}))
    }

    fn broken(&mut self, error: &Value) -> String {
        let mut response = std::mem::take(&mut self.begun);
        response["status"] = "failed".into();
        response["error"] = json!({"code": "server_error", "message": error["error"]["message"]});
        self.event("response.failed", json!({"response": response}))
    }
}
