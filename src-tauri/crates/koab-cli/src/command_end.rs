//! How commands end.

/// How a command ended (`docs/spec/cli.md`, exit codes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommandEnd {
    /// Done.
    Done,
    /// A run finished, but attempts failed for technical reasons.
    SomeFailed,
    /// A gate found that the candidate is worse.
    GateFailed,
    /// A gate found neither.
    Inconclusive,
    /// Cancelled; everything so far is kept.
    Cancelled,
    /// A worker was ended before its part of a run was done, and is to be started again.
    Again,
    /// It could not be done; the sentence has been said.
    NotDone,
}
