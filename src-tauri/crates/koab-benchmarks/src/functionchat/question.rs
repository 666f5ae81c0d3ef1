//! Question to a judge: the rubric of the turn with filled placeholders.

use super::source::Source;
use crate::answer::Answer;
use crate::item::Item;
use crate::python::dumps;
use serde_json::{Map, Value, json};

/// Question about a reply.
pub(super) fn ask(source: &Source, item: &Item, answer: &Answer) -> String {
    fill(
        &source.rubric,
        &[
            ("{tools}", dumps(&item.request.tools.clone().into())),
            ("{query}", dumps(&item.request.messages.clone().into())),
            ("{ground_truth}", dumps(&truth(&source.truth))),
            ("{acceptable_arguments}", dumps(&source.acceptable.clone().map_or(Value::Null, Value::String))),
            ("{response}", dumps(&response(answer))),
        ],
    )
}

/// Fills all placeholders in one pass, so that braces in the values stay.
fn fill(rubric: &str, values: &[(&str, String)]) -> String {
    let mut out = String::with_capacity(rubric.len());
    let mut rest = rubric;
    while let Some(at) = rest.find('{') {
        let (before, place) = rest.split_at(at);
        out.push_str(before);
        if let Some((name, value)) = values.iter().find(|(name, _)| place.starts_with(name)) {
            out.push_str(value);
            rest = &place[name.len()..];
        } else {
            out.push('{');
            rest = &place[1..];
        }
    }
    out.push_str(rest);
    out
}

/// Expected message; its calls have no ids.
fn truth(truth: &Value) -> Value {
    let mut message = truth.as_object().cloned().unwrap_or_default();
    if let Some(calls) = message.get_mut("tool_calls").and_then(Value::as_array_mut) {
        for call in calls.iter_mut().filter_map(Value::as_object_mut) {
            call.shift_remove("id");
        }
    }
    message.entry("tool_calls").or_insert(Value::Null);
    Value::Object(message)
}

/// Reply as a message. The authors show all fields that their client library has; here only the
/// fields of all client libraries are shown.
fn response(answer: &Answer) -> Value {
    let calls = answer.tool_calls.as_ref().map(|calls| {
        let calls = calls.iter().map(|call| {
            let function = json!({"name": call.name, "arguments": call.arguments});
            json!({"type": "function", "function": function})
        });
        calls.collect::<Vec<_>>()
    });
    let mut message = Map::new();
    message.insert("role".to_owned(), "assistant".into());
    message.insert("content".to_owned(), answer.content.clone().into());
    message.insert("tool_calls".to_owned(), calls.into());
    Value::Object(message)
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn what_is_filled_in_is_not_filled_again() {
        let filled = fill("{a} {b} {c} {", &[("{a}", "{b}".to_owned()), ("{b}", "{a}{}".to_owned())]);
        assert_eq!(filled, "{b} {a}{} {c} {");
    }
}
