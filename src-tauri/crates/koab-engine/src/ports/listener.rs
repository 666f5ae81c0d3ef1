//! Receiver of an answer while the answer is streamed.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

type Take = Box<dyn Fn(&str) + Send + Sync>;

/// Receives the text of one answer piece by piece, in order. Tool calls are only in the complete
/// answer.
///
/// After the first piece the call is not retried, since another answer would begin differently.
/// Adapters that receive a complete answer do not use a listener.
pub struct Listener {
    take: Take,
    heard: AtomicBool,
}

impl Listener {
    /// Creates a listener that passes every piece to `take`, which must not block.
    pub fn new(take: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self { take: Box::new(take), heard: AtomicBool::new(false) }
    }

    /// Receives a piece.
    pub fn hear(&self, piece: &str) {
        if !piece.is_empty() {
            self.heard.store(true, Ordering::Relaxed);
            (self.take)(piece);
        }
    }

    /// Whether any piece was received.
    pub fn has_heard(&self) -> bool {
        self.heard.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listener").field("heard", &self.heard).finish_non_exhaustive()
    }
}
