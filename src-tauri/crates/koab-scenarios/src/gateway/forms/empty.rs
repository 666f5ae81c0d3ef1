//! What every answer begins as.

use koab_engine::ports::{FinishReason, ModelReply};
use std::time::Duration;

/// An answer that holds nothing yet.
pub(in crate::gateway) fn nothing() -> ModelReply {
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
