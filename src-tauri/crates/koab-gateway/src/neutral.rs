//! A request in the neutral form of records, without the parts that change from attempt to attempt.

use super::form::Form;
use super::forms::Route;
use super::record::relevant;
use super::request::{Choice, GatewayRequest, MAX_TOKENS, ServedModel};
use koab_core::cache_key::sha256_hex;
use koab_engine::ports::{Message, RequestedCall};
use serde_json::{Value, json};

/// A request, independent of the vendor's API format ([`Form`]).
pub(super) struct Neutral {
    /// Content of the request. Ids of calls are replaced by their ordinals.
    pub(super) value: Value,
    /// SHA-256 of `value` as lower-case hex.
    pub(super) hash: String,
    /// Calls that the last message of the request answers; `None` when it answers no call.
    pub(super) answers: Option<Value>,
}

impl Neutral {
    /// Neutral form of a request whose body could be read.
    pub(super) fn from_request(request: &GatewayRequest) -> Self {
        let (messages, answers) = conversation(&request.messages);
        let tools: Vec<Value> = request
            .tools
            .iter()
            .map(|tool| {
                let strict = request.strict_tools.contains(&tool.name);
                json!({"name": tool.name, "description": tool.description, "parameters": tool.parameters, "strict": strict})
            })
            .collect();
        let choice = match &request.choice {
            Choice::Auto => json!("auto"),
            Choice::None => json!("none"),
            Choice::Required => json!("required"),
            Choice::Named(name) => json!({"name": name}),
        };
        // Only one form has a name for the answer's schema.
        let answer =
            request.answer.as_ref().map(|form| json!({"schema": form.schema, "strict": form.strict}));
        let value = json!({
            "messages": messages,
            "tools": tools,
            "tool_choice": choice,
            "one_call": request.one_call,
            "temperature": request.temperature,
            "max_tokens": request.max_tokens,
            "effort": request.effort,
            "seed": request.seed,
            "answer": answer,
            "stop": request.stop,
        });
        Self::hashed(value, answers)
    }

    /// Neutral form of a request that could not be read. It consists of the body as it was received
    /// and the name of its form.
    pub(super) fn unread(form: Form, body: &Value) -> Self {
        Self::hashed(json!({"form": form, "request": relevant(body.clone())}), None)
    }

    /// Neutral form of a recorded request. `max_tokens` is the output limit of a request that names
    /// no limit.
    pub(super) fn recorded(form: Form, body: &Value, max_tokens: u32) -> Self {
        match Route::for_form(form).read(body, &ServedModel::any(), max_tokens) {
            Ok(request) => Self::from_request(&request),
            Err(_) => Self::unread(form, body),
        }
    }

    fn hashed(value: Value, answers: Option<Value>) -> Self {
        let mut sorted = value.clone();
        sorted.sort_all_objects();
        Self { hash: sha256_hex(&sorted.to_string()), value, answers }
    }
}

/// SHA-256 of a request as lower-case hex. It does not depend on the form or on the ids of calls.
///
/// The hash of a request that cannot be read is that of its body and form.
pub fn request_hash(form: Form, request: &Value) -> String {
    Neutral::recorded(form, request, MAX_TOKENS).hash
}

/// Messages of a conversation in neutral form, and the calls that the last message answers.
fn conversation(messages: &[Message]) -> (Vec<Value>, Option<Value>) {
    let mut ids: Vec<&str> = Vec::new();
    let (mut neutral, mut last) = (Vec::with_capacity(messages.len()), None);
    for message in messages {
        neutral.push(match message {
            Message::System(text) => json!({"role": "system", "content": text}),
            Message::User(text) => json!({"role": "user", "content": text}),
            Message::Assistant { content, calls, .. } => {
                let first = ids.len();
                ids.extend(calls.iter().map(|call| call.id.as_str()));
                let without_ids: Vec<Value> = calls.iter().map(call_without_id).collect();
                let mut numbered = without_ids.clone();
                for (call, number) in numbered.iter_mut().zip(first..) {
                    call["id"] = number.into();
                }
                last = Some(Value::from(without_ids));
                json!({"role": "assistant", "content": content, "calls": numbered})
            }
            Message::Tool { call_id, content } => {
                // The last call with that id, since some clients number calls anew in every turn.
                let number = ids.iter().rposition(|id| id == call_id);
                json!({"role": "tool", "call": number, "content": content})
            }
        });
    }
    let answers = matches!(messages.last(), Some(Message::Tool { .. })).then_some(last).flatten();
    (neutral, answers)
}

/// A call without its id. Arguments are parsed, so that their spelling does not matter.
fn call_without_id(call: &RequestedCall) -> Value {
    let mut arguments = serde_json::from_str(&call.arguments).unwrap_or_else(|_| {
        if call.arguments.is_empty() { json!({}) } else { call.arguments.clone().into() }
    });
    arguments.sort_all_objects();
    json!({"name": call.name, "arguments": arguments})
}
