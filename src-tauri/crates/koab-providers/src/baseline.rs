//! Baselines: models that need no server and bound every metric from above and below.
//!
//! [`GoldenBaseline`] plays the golden path: the tool calls that the dataset lists as a task's
//! solution. [`SilentBaseline`] never calls a tool, and [`RandomBaseline`] makes random calls. They
//! keep no state: their place in an attempt follows from the messages, so attempts may run in
//! parallel and be repeated. They count no tokens and stream nothing, so their usage and their time
//! to first token are unknown rather than zero.

mod conversation;
mod dice;
mod facts;
mod golden;
mod random;

pub use golden::GoldenBaseline;
pub use random::RandomBaseline;

use async_trait::async_trait;
use koab_engine::ports::{FinishReason, ModelAdapter, ModelError, ModelReply, ModelRequest, RequestedCall};
use serde::Deserialize;
use std::sync::LazyLock;
use std::time::Instant;

/// Answers of the baselines, in the language of the tasks.
#[derive(Deserialize)]
struct Texts {
    silent: String,
    answer: String,
    from_context: String,
    unavailable: String,
    random: String,
}

static TEXTS: LazyLock<Texts> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../data/baseline.ko.json"))
        .expect("BUG: the baselines' texts are complete")
});

/// A model that answers politely and never calls a tool.
#[derive(Clone, Copy, Debug, Default)]
pub struct SilentBaseline;

#[async_trait]
impl ModelAdapter for SilentBaseline {
    async fn complete(&self, _: ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        Ok(Move::Say(TEXTS.silent.clone()).reply(Instant::now()))
    }
}

/// Action of a baseline in one model turn.
enum Move {
    Say(String),
    Call(Vec<RequestedCall>),
}

impl Move {
    fn reply(self, start: Instant) -> ModelReply {
        let (content, calls, finish) = match self {
            Move::Say(text) => (text, Vec::new(), FinishReason::Stop),
            Move::Call(calls) => (String::new(), calls, FinishReason::ToolCalls),
        };
        ModelReply {
            content,
            calls,
            finish,
            usage: None,
            first_token: None,
            latency: start.elapsed(),
            opaque: None,
            left_out: None,
            written: None,
            message: None,
        }
    }
}
