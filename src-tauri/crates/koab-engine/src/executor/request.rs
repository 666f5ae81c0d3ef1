//! An attempt at a task of another benchmark: one request and one reply, stored byte for byte. No
//! tool is executed.
//!
//! A cut-off reply is recorded under both protocols; each scorer applies its own rules to it.

use super::state::{Attempt, NoRecord, PhaseEnd};
use crate::chat_form;
use crate::ports::{FinishReason, ModelReply};
use koab_core::run_record::AttemptRecord;
use koab_core::task::TaskRequest;
use serde_json::{Value, json};

impl Attempt<'_> {
    /// Makes the request. Nothing is written before the attempt is over, since a single request has
    /// no steps to resume.
    pub(super) async fn one_request(mut self, request: TaskRequest<'_>) -> Result<AttemptRecord, NoRecord> {
        let (messages, tools) = (chat_form::messages(request.messages), chat_form::tools(request.tools));
        let mut log = request.messages.to_vec();
        let reply = match self.ask(&messages, &tools, Some(request), 1).await {
            Ok(reply) => reply,
            Err(fault) => {
                let end = self.without_reply(fault)?;
                return Ok(self.record(end, false, None, log));
            }
        };
        self.note_step(&reply, 1);
        let text = reply.content.clone();
        let (end, success) = match reply.finish {
            FinishReason::Length => (PhaseEnd::CutOff, false),
            _ => (PhaseEnd::Answered, true),
        };
        log.push(message(reply));
        Ok(self.record(end, success, Some(text), log))
    }
}

/// The reply in the form of Chat Completions: as the server sent it, or converted from another API.
fn message(reply: ModelReply) -> Value {
    if let Some(message) = reply.message {
        return *message;
    }
    let calls: Vec<Value> = reply
        .calls
        .into_iter()
        .map(|call| {
            let function = json!({ "name": call.name, "arguments": call.arguments });
            json!({ "id": call.id, "type": "function", "function": function })
        })
        .collect();
    // A reply with calls may have no text, which is null.
    let content = match (reply.content.is_empty(), calls.is_empty()) {
        (true, false) => Value::Null,
        _ => reply.content.into(),
    };
    let mut message = json!({ "role": "assistant", "content": content });
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    message
}
