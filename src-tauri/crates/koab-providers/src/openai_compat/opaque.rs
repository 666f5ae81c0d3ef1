//! Content that a server expects back unchanged.
//!
//! The next turn contains it again. Examples are OpenRouter's `reasoning_details` (§10.7), and the
//! `extra_content` of a tool call, which holds thought signatures on Google's compatible endpoint.

use koab_engine::ports::Opaque;
use serde_json::{Map, Value};
use std::sync::Arc;

const DETAILS: &str = "reasoning_details";
const EXTRA: &str = "extra_content";

/// Fields of a reasoning detail whose text is streamed in pieces. The pieces are joined.
const PIECES: [&str; 3] = ["text", "summary", "data"];

/// Assembles the reasoning details of one answer.
#[derive(Debug, Default)]
pub(super) struct Details {
    details: Vec<Value>,
}

impl Details {
    /// Adds one event's details. Pieces of one detail have the same `index` and `type`.
    pub(super) fn push(&mut self, details: &Value) {
        for piece in details.as_array().into_iter().flatten() {
            // Most details have no index, and there may be many.
            let index = piece.get("index");
            let same =
                |other: &&mut Value| other.get("index") == index && other.get("type") == piece.get("type");
            let mut before = self.details.iter_mut().rev();
            let target = index.and_then(|_| before.find(same)).and_then(Value::as_object_mut);
            match (target, piece) {
                (Some(target), Value::Object(piece)) => join(target, piece),
                _ => self.details.push(piece.clone()),
            }
        }
    }

    /// All content that later requests must contain. `None` if no content has to be stored.
    /// `extras` has the extra content of each call, in the order of the calls.
    pub(super) fn into_opaque(self, extras: Vec<Option<Value>>) -> Option<Opaque> {
        let mut fields = Map::new();
        if !self.details.is_empty() {
            fields.insert(DETAILS.to_owned(), Value::Array(self.details));
        }
        if extras.iter().any(Option::is_some) {
            let extras = extras.into_iter().map(Option::unwrap_or_default).collect();
            fields.insert(EXTRA.to_owned(), Value::Array(extras));
        }
        (!fields.is_empty()).then(|| Arc::new(Value::Object(fields)))
    }
}

fn join(target: &mut Map<String, Value>, piece: &Map<String, Value>) {
    for (field, value) in piece {
        match (target.get_mut(field), value) {
            (_, Value::Null) => {}
            (Some(Value::String(text)), Value::String(more)) if PIECES.contains(&field.as_str()) => {
                text.push_str(more);
            }
            _ => {
                target.insert(field.clone(), value.clone());
            }
        }
    }
}

/// Name and value of the field with the reasoning details, for an assistant message.
pub(super) fn details(opaque: &Opaque) -> Option<(&'static str, &Value)> {
    opaque.get(DETAILS).map(|details| (DETAILS, details))
}

/// Extra content of one call of an assistant message.
pub(super) fn extra(opaque: Option<&Opaque>, call: usize) -> Option<&Value> {
    opaque?.get(EXTRA)?.get(call).filter(|extra| !extra.is_null())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pieces_of_a_detail_are_joined_and_all_else_is_as_it_came() {
        let mut kept = Details::default();
        for piece in [
            json!([{"type": "reasoning.text", "index": 0, "text": "가", "signature": null, "format": "x"}]),
            json!([{"type": "reasoning.text", "index": 0, "text": "나", "signature": "s"}]),
            json!([{"type": "reasoning.encrypted", "index": 1, "data": "AA"}, {"type": "reasoning.summary", "summary": "다"}]),
            json!("none"),
        ] {
            kept.push(&piece);
        }
        let opaque = kept.into_opaque(vec![None, Some(json!({"google": {"thought_signature": "t"}}))]);
        let opaque = opaque.expect("something");
        assert_eq!(
            details(&opaque).expect("details").1,
            &json!([
                {"type": "reasoning.text", "index": 0, "text": "가나", "signature": "s", "format": "x"},
                {"type": "reasoning.encrypted", "index": 1, "data": "AA"},
                {"type": "reasoning.summary", "summary": "다"},
            ])
        );
        assert_eq!(extra(Some(&opaque), 0), None);
        assert_eq!(extra(Some(&opaque), 1), Some(&json!({"google": {"thought_signature": "t"}})));
        assert_eq!(Details::default().into_opaque(vec![None]), None);
    }
}
