//! An attempt of another benchmark: one request, one reply, kept letter for letter. No tool is
//! executed.
//!
//! A reply that was cut off is told under both protocols, and each scorer makes of it what its
//! rules say.

use super::state::{Attempt, NoRecord, PhaseEnd};
use crate::chat_form;
use crate::ports::{FinishReason, ModelReply};
use koab_core::run_record::AttemptRecord;
use koab_core::task::TaskRequest;
use serde_json::{Value, json};

impl Attempt<'_> {
    /// Asks once. Nothing is written down before the attempt is over: there is no step to go on
    /// behind.
    pub(super) async fn one_request(mut self, request: TaskRequest<'_>) -> Result<AttemptRecord, NoRecord> {
        let (messages, tools) = (chat_form::messages(request.messages), chat_form::tools(request.tools));
        let mut said = request.messages.to_vec();
        let reply = match self.ask(&messages, &tools, Some(request), 1).await {
            Ok(reply) => reply,
            Err(fault) => {
                let end = self.without_reply(fault)?;
                return Ok(self.record(end, false, None, said));
            }
        };
        self.note_step(&reply, 1);
        let text = reply.content.clone();
        let (end, success) = match reply.finish {
            FinishReason::Length => (PhaseEnd::CutOff, false),
            _ => (PhaseEnd::Answered, true),
        };
        said.push(message(reply));
        Ok(self.record(end, success, Some(text), said))
    }
}

/// The reply in the form of chat completions: as its server sent it, or made of what an adapter of
/// another form read.
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
    // Text beside calls may be nothing there and is nothing here.
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
