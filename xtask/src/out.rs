//! The one place that writes to the terminal. A closed pipe is not an error of ours, so failures are dropped.

use std::fmt::Display;
use std::io::Write;

/// Writes one line to stdout.
#[expect(clippy::disallowed_methods, reason = "the one place, and its text is ours")]
pub(crate) fn line(text: impl Display) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// Writes a heading that is easy to find again in a long log.
pub(crate) fn heading(text: impl Display) {
    line(format_args!("\n=== {text}"));
}

/// Writes one line to stderr, marked as an error.
#[expect(clippy::disallowed_methods, reason = "the one place, and its text is ours")]
pub(crate) fn error(text: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "error: {text}");
}
