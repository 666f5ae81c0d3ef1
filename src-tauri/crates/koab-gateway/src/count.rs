//! Estimate of a request's number of tokens, made without calling the model.

use super::request::GatewayRequest;
use koab_engine::ports::Message;

/// Average bytes of text per token.
const BYTES_PER_TOKEN: usize = 4;

/// Estimated number of tokens of a request.
pub(super) fn tokens(request: &GatewayRequest) -> usize {
    let messages: usize = request.messages.iter().map(bytes).sum();
    let tools = request
        .tools
        .iter()
        .map(|tool| tool.name.len() + tool.description.len() + tool.parameters.to_string().len());
    (messages + tools.sum::<usize>()).div_ceil(BYTES_PER_TOKEN)
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
