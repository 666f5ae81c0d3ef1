//! A request as records know it: in no vendor's form, and without what changes from attempt to
//! attempt.

use super::form::Form;
use super::forms::Route;
use super::record::relevant;
use super::request::{Choice, GatewayRequest, MAX_TOKENS, ServedModel};
use koab_core::cache_key::sha256_hex;
use koab_engine::ports::{Message, RequestedCall};
use serde_json::{Value, json};

/// A request of whatever form.
pub(super) struct Neutral {
    /// What it asks for; ids of calls are their ordinals.
    pub(super) value: Value,
    /// SHA-256 of that as lower-case hex.
    pub(super) hash: String,
    /// The calls that its last message answers, where it ends with an answer to calls.
    pub(super) answers: Option<Value>,
}

impl Neutral {
    /// A request that was read.
    pub(super) fn from_request(asked: &GatewayRequest) -> Self {
        let (messages, answers) = conversation(&asked.messages);
        let tools: Vec<Value> = asked
            .tools
            .iter()
            .map(|tool| {
                let strict = asked.strict_tools.contains(&tool.name);
                json!({"name": tool.name, "description": tool.description, "parameters": tool.parameters, "strict": strict})
            })
            .collect();
        let choice = match &asked.choice {
            Choice::Auto => json!("auto"),
            Choice::None => json!("none"),
            Choice::Required => json!("required"),
            Choice::Named(name) => json!({"name": name}),
        };
        // An answer's form has a name in one of the forms only.
        let answer = asked.answer.as_ref().map(|form| json!({"schema": form.schema, "strict": form.strict}));
        let value = json!({
            "messages": messages,
            "tools": tools,
            "tool_choice": choice,
            "one_call": asked.one_call,
            "temperature": asked.temperature,
            "max_tokens": asked.max_tokens,
            "effort": asked.effort,
            "seed": asked.seed,
            "answer": answer,
            "stop": asked.stop,
        });
        Self::hashed(value, answers)
    }

    /// A request that could not be read: its own words, of its own form.
    pub(super) fn unread(form: Form, body: &Value) -> Self {
        Self::hashed(json!({"form": form, "request": relevant(body.clone())}), None)
    }

    /// A request out of a record. `max_tokens` counts where it names none.
    pub(super) fn recorded(form: Form, body: &Value, max_tokens: u32) -> Self {
        match Route::for_form(form).read(body, &ServedModel::any(), max_tokens) {
            Ok(asked) => Self::from_request(&asked),
            Err(_) => Self::unread(form, body),
        }
    }

    fn hashed(value: Value, answers: Option<Value>) -> Self {
        let mut sorted = value.clone();
        sorted.sort_all_objects();
        Self { hash: sha256_hex(&sorted.to_string()), value, answers }
    }
}

/// SHA-256 of a request as lower-case hex, the same in every form and whatever its calls' ids are.
/// What no form can carry has one of its own words.
pub fn request_hash(form: Form, request: &Value) -> String {
    Neutral::recorded(form, request, MAX_TOKENS).hash
}

/// The messages, and the calls that the last of them answers.
fn conversation(messages: &[Message]) -> (Vec<Value>, Option<Value>) {
    let mut ids: Vec<&str> = Vec::new();
    let (mut told, mut last) = (Vec::with_capacity(messages.len()), None);
    for message in messages {
        told.push(match message {
            Message::System(text) => json!({"role": "system", "content": text}),
            Message::User(text) => json!({"role": "user", "content": text}),
            Message::Assistant { content, calls, .. } => {
                let first = ids.len();
                ids.extend(calls.iter().map(|call| call.id.as_str()));
                let named: Vec<Value> = calls.iter().map(named).collect();
                let mut numbered = named.clone();
                for (call, number) in numbered.iter_mut().zip(first..) {
                    call["id"] = number.into();
                }
                last = Some(Value::from(named));
                json!({"role": "assistant", "content": content, "calls": numbered})
            }
            Message::Tool { call_id, content } => {
                // The last of that id: some clients count anew in every turn.
                let number = ids.iter().rposition(|id| id == call_id);
                json!({"role": "tool", "call": number, "content": content})
            }
        });
    }
    let answers = matches!(messages.last(), Some(Message::Tool { .. })).then_some(last).flatten();
    (told, answers)
}

/// A call without its id. Arguments are their JSON, however it is spelled.
fn named(call: &RequestedCall) -> Value {
    let mut arguments = serde_json::from_str(&call.arguments).unwrap_or_else(|_| {
        if call.arguments.is_empty() { json!({}) } else { call.arguments.clone().into() }
    });
    arguments.sort_all_objects();
    json!({"name": call.name, "arguments": arguments})
}
