//! Outcomes of commands.

/// Outcome of a command (`docs/spec/cli.md`, exit codes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommandEnd {
    /// The command succeeded.
    Done,
    /// The run finished, but some attempts failed for technical reasons.
    SomeFailed,
    /// The gate found that the candidate is worse.
    GateFailed,
    /// The gate could not decide whether the candidate is worse.
    Inconclusive,
    /// The command was cancelled. Finished work is saved.
    Cancelled,
    /// A worker was stopped before its shard was done and must be started again.
    Again,
    /// The command failed. Its message has been printed.
    NotDone,
}
