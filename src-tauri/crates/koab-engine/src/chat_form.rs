//! Conversion of a Chat Completions request for adapters of other API forms.

use crate::ports::{Message, RequestedCall};
use koab_core::tool::ToolSpec;
use serde_json::{Value, json};
use std::collections::VecDeque;

/// Converts the messages. Calls get new ids, since benchmarks give many calls the same id, which
/// other APIs refuse.
pub(crate) fn messages(given: &[Value]) -> Vec<Message> {
    let mut open: VecDeque<(String, String)> = VecDeque::new();
    let mut number = 0_usize;
    let mut conversation = Vec::with_capacity(given.len());
    for message in given {
        let content = text(&message["content"]);
        conversation.push(match message["role"].as_str() {
            Some("system" | "developer") => Message::System(content),
            Some("assistant") => {
                let calls = message["tool_calls"].as_array().into_iter().flatten();
                let calls: Vec<RequestedCall> = calls
                    .map(|call| {
                        number += 1;
                        let id = format!("call_{number}");
                        open.push_back((text(&call["id"]), id.clone()));
                        RequestedCall {
                            id,
                            name: text(&call["function"]["name"]),
                            arguments: text(&call["function"]["arguments"]),
                        }
                    })
                    .collect();
                Message::Assistant { content, calls, opaque: None }
            }
            Some("tool") => {
                let was = text(&message["tool_call_id"]);
                let place = open.iter().position(|(id, _)| *id == was);
                let call_id = place.and_then(|place| open.remove(place)).map_or(was, |(_, id)| id);
                Message::Tool { call_id, content }
            }
            _ => Message::User(content),
        });
    }
    conversation
}

/// Converts the tools. Empty parameters become a schema without properties, since some providers
/// refuse the empty form.
pub(crate) fn tools(given: &[Value]) -> Vec<ToolSpec> {
    let tool = |tool: &Value| {
        let function = tool.get("function").unwrap_or(tool);
        let parameters = match &function["parameters"] {
            Value::Object(schema) if !schema.is_empty() => function["parameters"].clone(),
            _ => json!({ "type": "object", "properties": {}, "required": [] }),
        };
        ToolSpec { name: text(&function["name"]), description: text(&function["description"]), parameters }
    };
    given.iter().map(tool).collect()
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_one_id_are_told_apart_and_answered_in_their_order() {
        let call = |name: &str| json!({"id": "random_id", "type": "function", "function": {"name": name, "arguments": "{}"}});
        let answer = |content: &str| json!({"role": "tool", "tool_call_id": "random_id", "name": "f", "content": content});
        let said = [
            json!({"role": "user", "content": "가"}),
            json!({"role": "assistant", "content": null, "tool_calls": [call("a")]}),
            answer("1"),
            json!({"role": "assistant", "content": null, "tool_calls": [call("b")]}),
            answer("2"),
        ];
        let ids: Vec<String> = messages(&said)
            .iter()
            .filter_map(|message| match message {
                Message::Tool { call_id, content } => Some(format!("{call_id} {content}")),
                Message::Assistant { calls, .. } => Some(format!("{} {}", calls[0].id, calls[0].name)),
                _ => None,
            })
            .collect();
        assert_eq!(ids, ["call_1 a", "call_1 1", "call_2 b", "call_2 2"]);
        let made = tools(&[json!({"type": "function", "function": {"name": "f", "parameters": {}}})]);
        assert_eq!(made[0].parameters["type"], "object");
    }
}
