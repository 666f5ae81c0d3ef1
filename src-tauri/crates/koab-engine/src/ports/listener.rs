//! An answer that is heard while it comes.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

type Take = Box<dyn Fn(&str) + Send + Sync>;

/// Hears the text of one answer, piece by piece, in order. Calls come with the whole answer.
///
/// Once a piece is heard the call is not made again: another answer would begin otherwise. Adapters
/// that get their answers in one piece tell it nothing.
pub struct Listener {
    take: Take,
    heard: AtomicBool,
}

impl Listener {
    /// Gives every piece to `take`, which must not block.
    pub fn new(take: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self { take: Box::new(take), heard: AtomicBool::new(false) }
    }

    /// A piece came.
    pub fn hear(&self, piece: &str) {
        if !piece.is_empty() {
            self.heard.store(true, Ordering::Relaxed);
            (self.take)(piece);
        }
    }

    /// Whether anything came.
    pub fn has_heard(&self) -> bool {
        self.heard.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listener").field("heard", &self.heard).finish_non_exhaustive()
    }
}
