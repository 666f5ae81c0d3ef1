//! Receiver of an answer while it is streamed.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

type Take = Box<dyn Fn(&str) + Send + Sync>;

/// Receives the text of one answer piece by piece, in order. Tool calls come with the whole answer.
///
/// After the first piece the call is not retried, since another answer would begin differently.
/// Adapters that get their answers in one piece do not use it.
pub struct Listener {
    take: Take,
    heard: AtomicBool,
}

impl Listener {
    /// Passes every piece to `take`, which must not block.
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
