//! End of a trial's process, in a container or on this computer.

use koab_core::sentence::Sentence;

/// End of a trial's process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProcessEnd {
    /// The process ended by itself.
    Exited {
        /// Exit code of the first process; 128 plus the signal's number when a signal ended it.
        code: i64,
        /// Whether the kernel killed a process because of its memory.
        out_of_memory: bool,
    },
    /// The process was stopped at its time limit.
    TimedOut,
    /// The process was stopped because the user cancelled.
    Cancelled,
    /// The process never ran.
    NotStarted {
        /// Reason, one sentence.
        why: Sentence,
    },
    /// The connection to the container engine was lost, so the end is not known.
    Lost {
        /// Reason, one sentence.
        why: Sentence,
    },
}
