//! How long a request is, without asking anybody.

use super::request::GatewayRequest;
use koab_engine::ports::Message;

/// Bytes of text that make a token, about.
const BYTES: usize = 4;

/// Tokens of a request, estimated.
pub(super) fn tokens(asked: &GatewayRequest) -> usize {
    let messages: usize = asked.messages.iter().map(bytes).sum();
    let tools = asked
        .tools
        .iter()
        .map(|tool| tool.name.len() + tool.description.len() + tool.parameters.to_string().len());
    (messages + tools.sum::<usize>()).div_ceil(BYTES)
}

fn bytes(message: &Message) -> usize {
    match message {
        Message::System(text) | Message::User(text) => text.len(),
        Message::Assistant { content, calls, .. } => {
            let calls = calls.iter().map(|call| call.name.len() + call.arguments.len());
            content.len() + calls.sum::<usize>()
        }
        Message::Tool { content, .. } => content.len(),
    }
}
