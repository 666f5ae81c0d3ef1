//! Test programs of ours that end with the line `N passed, N failed`: the scripts in `ui/e2e`.

use std::process::Command;
use std::time::Duration;

use anyhow::Context as _;

use super::count::Count;
use crate::command;

/// How many of its last lines are told of a program that printed no count: the test it was at is
/// among them.
const LAST: usize = 4;

/// Runs a program to its end and reads its count; `name` is what it is called where it fails.
///
/// # Errors
/// When it cannot be started, runs longer than `limit` or prints no count.
pub(super) fn count(script: &mut Command, name: &str, limit: Duration) -> anyhow::Result<Count> {
    let watched = command::watch(script, limit)?;
    let status = watched.status;
    let mut count = Count::from_lines(&watched.lines).with_context(|| {
        let last = watched.lines.len().saturating_sub(LAST);
        let last = watched.lines[last..].join(" | ");
        format!("{name} ended with {status} and printed no count, after: {last}")
    })?;
    if !status.success() && count.failed() == 0 {
        count.failures.push(format!("{name} ended with {status}"));
    }
    Ok(count)
}
