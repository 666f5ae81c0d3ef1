//! Runs test programs that end with the line `N passed, N failed`, such as the scripts in `ui/e2e`.

use std::process::Command;
use std::time::Duration;

use anyhow::Context as _;

use super::count::Count;
use crate::command;

/// Number of last lines that are shown for a program that printed no count. They show which test
/// the program had reached.
const MAX_LAST_LINES: usize = 4;

/// Runs a program to its end and reads its count. `name` is the program's name in failures.
///
/// # Errors
/// When it cannot be started, runs longer than `limit` or prints no count.
pub(super) fn count(script: &mut Command, name: &str, limit: Duration) -> anyhow::Result<Count> {
    let watched = command::watch(script, limit)?;
    let status = watched.status;
    let mut count = Count::from_lines(&watched.lines).with_context(|| {
        let last = watched.lines.len().saturating_sub(MAX_LAST_LINES);
        let last = watched.lines[last..].join(" | ");
        format!("{name} ended with {status} and printed no count, after: {last}")
    })?;
    if !status.success() && count.failed() == 0 {
        count.failures.push(format!("{name} ended with {status}"));
    }
    Ok(count)
}
