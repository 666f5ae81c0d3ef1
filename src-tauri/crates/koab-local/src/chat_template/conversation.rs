//! Conversations in the form that templates read: OpenAI's messages with their tool calls, adapted
//! to what a template supports.

use super::features::TemplateFeatures;
use super::tool_words::{self, openai};
use super::variables::{BETWEEN, Shaped};
use crate::tool_text::{ReadCall, ToolForm};
use koab_core::tool::ToolSpec;
use koab_engine::ports::{Message, RequestedCall};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// Converts a conversation into messages and tools that a template with these features can render.
pub(super) fn shape(
    messages: &[Message],
    tools: &[ToolSpec],
    manners: &TemplateFeatures,
    form: ToolForm,
) -> Shaped {
    let mut writer = Writer { manners, form, out: Vec::new(), waiting: Vec::new(), called: HashMap::new() };
    let mut rest = messages;
    let mut system = Vec::new();
    if let [Message::System(text), others @ ..] = messages {
        system.push(text.clone());
        rest = others;
    }
    if !tools.is_empty() && !manners.tools {
        system.push(tool_words::tools(tools, form));
    }
    if !system.is_empty() {
        writer.system(&system.join(BETWEEN));
    }
    writer.all(rest);
    Shaped {
        messages: writer.finish(),
        tools: if tools.is_empty() || !manners.tools {
            Value::Null
        } else {
            tools.iter().map(openai).collect()
        },
        parts: manners.parts,
    }
}

struct Writer<'a> {
    manners: &'a TemplateFeatures,
    form: ToolForm,
    out: Vec<Value>,
    /// System texts that the next user message will contain, for templates without system messages.
    waiting: Vec<String>,
    /// Earlier calls by id: the name of the tool, and the id that the template receives.
    called: HashMap<String, (String, String)>,
}

impl Writer<'_> {
    fn all(&mut self, messages: &[Message]) {
        let mut at = 0;
        while let Some(message) = messages.get(at) {
            at += 1;
            match message {
                Message::System(text) => self.system(text),
                Message::User(text) => self.user(text),
                Message::Assistant { content, calls, opaque } => {
                    let thought = opaque.as_ref().and_then(|fields| fields.get("reasoning_content"));
                    for call in calls {
                        let place = self.called.len();
                        let template_id =
                            if self.manners.short_ids { format!("call{place:05}") } else { call.id.clone() };
                        self.called.insert(call.id.clone(), (call.name.clone(), template_id));
                    }
                    // The answers to the calls of this turn.
                    let answers = messages
                        .get(at..)
                        .unwrap_or_default()
                        .iter()
                        .take_while(|message| matches!(message, Message::Tool { .. }))
                        .count();
                    let answers = messages.get(at..at + answers).unwrap_or_default();
                    if self.manners.one_call && calls.len() > 1 && self.manners.calls {
                        self.one_by_one(content, calls, thought, answers);
                        at += answers.len();
                    } else {
                        self.assistant(content, calls, thought);
                    }
                }
                Message::Tool { call_id, content } => self.answer(call_id, content),
            }
        }
    }

    /// Writes each call as a message of its own, followed by the call's answer.
    fn one_by_one(
        &mut self,
        content: &str,
        calls: &[RequestedCall],
        thought: Option<&Value>,
        answers: &[Message],
    ) {
        let mut rest: Vec<&Message> = answers.iter().collect();
        for (i, call) in calls.iter().enumerate() {
            let (content, thought) = if i == 0 { (content, thought) } else { ("", None) };
            self.assistant(content, std::slice::from_ref(call), thought);
            let own =
                |message: &&Message| matches!(message, Message::Tool { call_id, .. } if *call_id == call.id);
            if let Some(at) = rest.iter().position(own) {
                self.all(std::slice::from_ref(rest.remove(at)));
            }
        }
        for answer in rest {
            self.all(std::slice::from_ref(answer));
        }
    }

    fn system(&mut self, text: &str) {
        if self.manners.system {
            self.push("system", text.into());
        } else {
            self.waiting.push(text.to_owned());
        }
    }

    fn user(&mut self, text: &str) {
        self.waiting.push(text.to_owned());
        let text = std::mem::take(&mut self.waiting).join(BETWEEN);
        self.push("user", text.into());
    }

    fn assistant(&mut self, content: &str, calls: &[RequestedCall], thought: Option<&Value>) {
        let as_text = !calls.is_empty() && !self.manners.calls;
        let content = if as_text {
            let calls: Vec<ReadCall> = calls
                .iter()
                .map(|call| ReadCall { name: call.name.clone(), arguments: call.arguments.clone() })
                .collect();
            let calls = self.form.for_writing().write(&calls);
            Value::from(if content.is_empty() { calls } else { format!("{content}\n{calls}") })
        } else if !calls.is_empty() && self.manners.null_content {
            // Such templates write either the text of a turn or its calls, so a turn with both
            // becomes two.
            if !content.is_empty() {
                self.push("assistant", content.into());
            }
            Value::Null
        } else {
            content.into()
        };
        self.push("assistant", content);
        let calls: Vec<Value> = calls.iter().map(|call| self.call(call)).collect();
        let Some(message) = self.out.last_mut().and_then(Value::as_object_mut) else {
            return;
        };
        if let Some(thought) = thought.filter(|thought| thought.is_string()) {
            message.insert("reasoning_content".to_owned(), thought.clone());
        }
        if !calls.is_empty() && !as_text {
            message.insert("tool_calls".to_owned(), calls.into());
        }
    }

    fn call(&self, call: &RequestedCall) -> Value {
        let arguments = match serde_json::from_str::<Value>(&call.arguments) {
            Ok(arguments @ Value::Object(_)) if self.manners.arguments_as_objects => arguments,
            _ => call.arguments.as_str().into(),
        };
        let id = self.called.get(&call.id).map_or(call.id.as_str(), |(_, seen)| seen);
        json!({
            "id": id,
            "type": "function",
            "function": {"name": call.name, "arguments": arguments},
        })
    }

    fn answer(&mut self, call_id: &str, content: &str) {
        if !self.manners.calls {
            let text = tool_words::answer(content);
            // Several answers are joined into one turn of the user.
            match self.out.last_mut() {
                Some(last) if last.get("told").is_some() => {
                    let joined = format!("{}\n{text}", last["content"].as_str().unwrap_or_default());
                    last["content"] = joined.into();
                }
                _ => {
                    self.user(&text);
                    if let Some(last) = self.out.last_mut() {
                        last["told"] = true.into();
                    }
                }
            }
            return;
        }
        let (name, seen) = match self.called.get(call_id) {
            Some((name, seen)) => (name.clone(), seen.clone()),
            None => (String::new(), call_id.to_owned()),
        };
        self.push("tool", content.into());
        if let Some(message) = self.out.last_mut().and_then(Value::as_object_mut) {
            if !name.is_empty() {
                message.insert("name".to_owned(), name.into());
            }
            message.insert("tool_call_id".to_owned(), seen.into());
        }
    }

    fn push(&mut self, role: &str, content: Value) {
        let mut message = Map::new();
        message.insert("role".to_owned(), role.into());
        message.insert("content".to_owned(), content);
        self.out.push(message.into());
    }

    fn finish(mut self) -> Vec<Value> {
        if !self.waiting.is_empty() {
            let text = std::mem::take(&mut self.waiting).join(BETWEEN);
            self.push("user", text.into());
        }
        for message in self.out.iter_mut().filter_map(Value::as_object_mut) {
            message.shift_remove("told");
        }
        self.out
    }
}
