//! Outcomes of commands, which decide the exit code.

/// Outcome of a command (`docs/spec/cli.md`, exit codes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommandEnd {
    /// The command succeeded.
    Done,
    /// The run finished, but some attempts failed for technical reasons.
    SomeFailed,
    /// `koab gate` found that the candidate (the changed model) is worse than the baseline.
    GateFailed,
    /// `koab gate` could not decide whether the candidate is worse than the baseline.
    Inconclusive,
    /// The command was cancelled. Finished work is saved.
    Cancelled,
    /// A worker was stopped before its shard was done and must be started again.
    Again,
    /// The command failed. Its message has been printed.
    NotDone,
}
