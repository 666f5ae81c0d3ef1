//! How a repetition's process ended, wherever it ran.

use koab_core::sentence::Sentence;

/// The end of a repetition's process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProcessEnd {
    /// By itself.
    Exited {
        /// Exit code of its first process; 128 and the signal's number when a signal ended it.
        code: i64,
        /// Whether the kernel killed something in it for memory.
        out_of_memory: bool,
    },
    /// We stopped it: its time was over.
    TimedOut,
    /// We stopped it: the user asked.
    Cancelled,
    /// It never ran.
    NotStarted {
        /// One sentence.
        why: Sentence,
    },
    /// What ran it went away.
    Lost {
        /// One sentence.
        why: Sentence,
    },
}
