//! Empty reply that answers are built from.

use koab_engine::ports::{FinishReason, ModelReply};
use std::time::Duration;

/// A reply without content.
pub(crate) fn nothing() -> ModelReply {
    ModelReply {
        content: String::new(),
        calls: Vec::new(),
        usage: None,
        finish: FinishReason::Stop,
        first_token: None,
        latency: Duration::ZERO,
        opaque: None,
        left_out: None,
        written: None,
        message: None,
    }
}
