//! Streamed answers in the form of `streamGenerateContent`: events without names, or one JSON
//! array. The end of the connection ends the answer.

use crate::forms::stream_writer::{StreamWriter, data, rest};
use crate::request::AnswerFormat;
use serde_json::{Value, json};

/// Writer of a streamed response.
pub(in crate::forms) struct Events {
    /// Fields that every piece contains.
    piece: Value,
    array: bool,
    pieces: usize,
    /// Number of text bytes that have been sent.
    sent_bytes: usize,
}

impl Events {
    /// Starts a streamed response. Returns its first text, and the writer of the remaining pieces.
    pub(in crate::forms) fn begin(empty: &Value, format: AnswerFormat) -> (String, Self) {
        let piece = json!({
            "candidates": [{"content": {"role": "model", "parts": []}, "index": 0}],
            "modelVersion": empty["modelVersion"],
            "responseId": empty["responseId"],
        });
        let events = Self { piece, array: format.array, pieces: 0, sent_bytes: 0 };
        (if format.array { "[" } else { "" }.to_owned(), events)
    }

    fn part(&mut self, part: &Value, end: Option<&Value>) -> String {
        let mut piece = self.piece.clone();
        piece["candidates"][0]["content"]["parts"] = json!([part]);
        if let Some(whole) = end {
            piece["candidates"][0]["finishReason"] = whole["candidates"][0]["finishReason"].clone();
            piece["usageMetadata"] = whole["usageMetadata"].clone();
        }
        self.pieces += 1;
        match (self.array, self.pieces) {
            (false, _) => data(&piece),
            (true, 1) => piece.to_string(),
            (true, _) => format!(",\r\n{piece}"),
        }
    }
}

impl StreamWriter for Events {
    fn text(&mut self, piece: &str) -> String {
        if piece.is_empty() {
            return String::new();
        }
        self.sent_bytes += piece.len();
        self.part(&json!({"text": piece}), None)
    }

    fn finish(&mut self, whole: &Value) -> String {
        let mut events = String::new();
        let parts = &whole["candidates"][0]["content"]["parts"];
        for part in parts.as_array().into_iter().flatten() {
            events += &match part["text"].as_str() {
                Some(text) => self.text(rest(text, self.sent_bytes)),
                None => self.part(part, None),
            };
        }
        events += &self.part(&json!({"text": ""}), Some(whole));
        if self.array { events + "]" } else { events }
    }

    fn broken(&mut self, error: &Value) -> String {
        match (self.array, self.pieces) {
            (false, _) => data(error),
            (true, 0) => format!("{error}]"),
            (true, _) => format!(",\r\n{error}]"),
        }
    }
}
