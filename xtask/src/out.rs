//! The only module that writes to the terminal. A closed pipe is not an error, so write errors are
//! ignored.

use std::cell::RefCell;
use std::fmt::Display;
use std::io::Write;

thread_local! {
    /// Lines that this thread has collected instead of writing them; `None` while lines are written
    /// at once.
    static KEPT_LINES: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Writes a line to stdout.
#[expect(clippy::disallowed_methods, reason = "the one place, and its text is ours")]
pub(crate) fn line(text: impl Display) {
    if !keeps(&text) {
        let _ = writeln!(std::io::stdout().lock(), "{text}");
    }
}

/// Writes a heading that is easy to find in a long log.
pub(crate) fn heading(text: impl Display) {
    line(format_args!("\n=== {text}"));
}

/// Writes a line to stderr, marked as an error.
#[expect(clippy::disallowed_methods, reason = "the one place, and its text is ours")]
pub(crate) fn error(text: impl Display) {
    if !keeps(format_args!("error: {text}")) {
        let _ = writeln!(std::io::stderr().lock(), "error: {text}");
    }
}

/// Runs work and collects its lines, so that they do not mix with the lines of other threads.
/// Returns the work's result and its lines.
pub(crate) fn kept<T>(work: impl FnOnce() -> T) -> (T, String) {
    KEPT_LINES.set(Some(String::new()));
    let result = work();
    (result, KEPT_LINES.take().unwrap_or_default())
}

/// Whether the lines of this thread are collected instead of written.
pub(crate) fn is_kept() -> bool {
    KEPT_LINES.with_borrow(Option::is_some)
}

fn keeps(text: impl Display) -> bool {
    KEPT_LINES.with_borrow_mut(|kept| {
        let Some(kept) = kept else { return false };
        kept.push_str(&format!("{text}\n"));
        true
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_kept_of_one_thread_and_until_its_work_is_done() {
        let (elsewhere, text) = kept(|| {
            line("one");
            error("two");
            let other = std::thread::spawn(is_kept).join().unwrap();
            (is_kept(), other)
        });
        assert_eq!(elsewhere, (true, false));
        assert_eq!(text, "one\nerror: two\n");
        assert!(!is_kept());
    }
}
