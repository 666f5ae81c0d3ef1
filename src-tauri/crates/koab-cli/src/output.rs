//! The only module that writes to stdout and stderr.
//!
//! Text for people is always cleaned of everything that a terminal would obey ([`clean`]). Even the
//! output to a pipe is often shown on a terminal: in a pager, or as the log of a job. Data is
//! written byte for byte to pipes and files and is cleaned only on a terminal. A JSON document is
//! always escaped, which does not change its meaning.

mod bar;
mod clean;
mod table;

pub(crate) use bar::Bar;
pub(crate) use clean::{clean, clean_json};
pub(crate) use table::{Columns, columns, for_file, or, or_dash};

use koab_api::WireError;
use koab_core::sentence::Language;
use koab_core::sentence::in_english;
use koab_core::text;
use serde::Serialize;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, ErrorKind, IsTerminal as _, Write as _};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// First error of a write to stdout.
static WRITE_ERROR: OnceLock<io::Error> = OnceLock::new();
/// Whether the one JSON document of `--json` has been written.
static DOCUMENT_WRITTEN: AtomicBool = AtomicBool::new(false);

/// Form and language of a command's results and remarks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output {
    /// Whether results are JSON documents instead of text.
    pub(crate) json: bool,
    /// Whether progress is suppressed.
    pub(crate) quiet: bool,
    /// Language of all texts.
    pub(crate) lang: Language,
}

impl Output {
    /// Prints the result: with `--json` the JSON document, otherwise the text.
    pub(crate) fn result(&self, document: &impl Serialize, text: impl FnOnce() -> String) {
        if self.json {
            self.document(document);
        } else {
            out(&format!("{}\n", table::fitted(clean(&text()).trim_end())));
        }
    }

    /// Prints a result whose text is a complete file, such as a page or a CSV table.
    pub(crate) fn file(&self, document: &impl Serialize, text: &str) {
        if self.json {
            self.document(document);
        } else {
            self.text(&format!("{}\n", text.trim_end()));
        }
    }

    /// Prints data byte for byte, because newlines matter in some formats.
    #[expect(clippy::unused_self, reason = "as its neighbours are called")]
    #[expect(clippy::disallowed_methods, reason = "looked at, not written to")]
    pub(crate) fn text(&self, text: &str) {
        if io::stdout().is_terminal() {
            out(&clean(text));
        } else {
            out(text);
        }
    }

    #[expect(clippy::unused_self, reason = "as its neighbours are called")]
    fn document(&self, document: &impl Serialize) {
        DOCUMENT_WRITTEN.store(true, Ordering::Relaxed);
        let body = serde_json::to_value(document)
            .and_then(|mut document| {
                in_english(&mut document);
                serde_json::to_string_pretty(&document)
            })
            .unwrap_or_else(|error| serde_json::json!({ "error": error.to_string() }).to_string());
        out(&format!("{}\n", clean_json(&body)));
    }

    /// Prints a remark on stderr, except with `--quiet`.
    pub(crate) fn remark(&self, text: &str) {
        if !self.quiet {
            say(text);
        }
    }

    /// Prints the next command on stderr if it is a terminal, where somebody reads it. Scripts and
    /// `--json` do not get it.
    #[expect(clippy::disallowed_methods, reason = "looked at, not written to")]
    pub(crate) fn next(&self, text: &str) {
        if !self.json && io::stderr().is_terminal() {
            self.remark(&format!("{}: {text}", self.lang.text(text!("next"))));
        }
    }

    /// Prints the error of a failed command, even with `--quiet`. With `--json` the error is also
    /// the JSON document, unless the result was already printed as that document.
    pub(crate) fn failure(&self, error: &WireError) {
        if self.json && !DOCUMENT_WRITTEN.load(Ordering::Relaxed) {
            self.document(&serde_json::json!({ "error": error }));
        }
        self.sentence(&self.lang.say(&error.message));
    }

    /// Prints a sentence on stderr, even with `--quiet`.
    pub(crate) fn sentence(&self, text: &str) {
        say(&format!("koab: {text}"));
    }
}

/// Installs a panic hook that cleans messages, because they may quote text from files or servers.
pub(crate) fn clean_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let thread = std::thread::current();
        let mut message = format!("thread '{}' {panic}", thread.name().unwrap_or("<unnamed>"));
        let backtrace = Backtrace::capture();
        if backtrace.status() == BacktraceStatus::Captured {
            message = format!("{message}\n{backtrace}");
        }
        say(&message);
    }));
}

/// Limits tables to the width in `COLUMNS`, or otherwise to the width of the terminal if stdout is
/// a terminal.
#[expect(clippy::disallowed_methods, reason = "looked at, not written to")]
pub(crate) fn fit_terminal() {
    let columns = std::env::var("COLUMNS").ok();
    let columns = columns.and_then(|value| value.trim().parse().ok());
    let own = || terminal_size::terminal_size_of(io::stdout()).map(|(terminal_size::Width(width), _)| width);
    if let Some(width) = columns.filter(|width| *width > 0).or_else(own) {
        table::fit_to(width.max(1));
    }
}

/// First error of a write to stdout, if the result could not be fully written. A closed pipe is not
/// an error, because its reader has read enough.
pub(crate) fn undelivered() -> Option<&'static io::Error> {
    WRITE_ERROR.get()
}

#[expect(clippy::disallowed_methods, reason = "here alone, and cleaned")]
fn out(text: &str) {
    let mut stdout = io::stdout();
    let result = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    if let Err(error) = result
        && error.kind() != ErrorKind::BrokenPipe
    {
        let _ = WRITE_ERROR.set(error);
    }
}

/// Prints a text on stderr. Errors are ignored, so that a closed stderr does not end a run.
#[expect(clippy::disallowed_methods, reason = "here alone, and cleaned")]
pub(crate) fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{}", clean(text));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    const PANICS: &str = "KOAB_TEST_PANICS";

    /// Panics in a child process, which runs this test again, and reads the message from its
    /// stderr.
    #[test]
    #[expect(clippy::panic, reason = "what is tested")]
    fn a_panic_is_told_without_what_a_terminal_obeys() {
        if std::env::var_os(PANICS).is_some() {
            clean_panics();
            panic!("of \u{1b}]52;c;aGk=\u{7}\u{202e} and 한글");
        }
        let name = "output::tests::a_panic_is_told_without_what_a_terminal_obeys";
        let ran = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", name, "--nocapture"])
            .env(PANICS, "1")
            .env("RUST_BACKTRACE", "0")
            .output()
            .unwrap();
        assert!(!ran.status.success());
        let said = String::from_utf8(ran.stderr).unwrap();
        let line = "of \\u{1b}]52;c;aGk=\\u{7}\\u{202e} and 한글";
        assert!(said.contains(line) && said.contains("panicked at"), "{said}");
        assert_eq!(clean(&said), said);
    }
}
