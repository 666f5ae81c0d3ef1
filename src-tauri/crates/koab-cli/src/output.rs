//! The one place that writes to stdout and stderr.
//!
//! What is for people's eyes is cleaned of all that a terminal would obey ([`clean`]), wherever it
//! goes: a pipe mostly ends on a terminal too, behind a pager or in the log of a job. What is data
//! goes into pipes and files to the byte, and is cleaned on a terminal only. A JSON document says
//! the same either way, so it is always escaped.

mod bar;
mod clean;
mod table;

pub(crate) use bar::Bar;
pub(crate) use clean::{clean, clean_json};
pub(crate) use table::{Columns, columns, for_file, or, or_dash};

use koab_api::WireError;
use koab_core::sentence::Language;
use koab_core::sentence::in_english;
use serde::Serialize;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, ErrorKind, IsTerminal as _, Write as _};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// What stdout said when it first took no more.
static FAILED: OnceLock<io::Error> = OnceLock::new();
/// Whether the one document of `--json` is written.
static DOCUMENTED: AtomicBool = AtomicBool::new(false);

/// Where results and remarks go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output {
    /// One JSON document instead of text.
    pub(crate) json: bool,
    /// No progress.
    pub(crate) quiet: bool,
    /// Language of texts.
    pub(crate) lang: Language,
}

impl Output {
    /// The result: the document under `--json`, else the text.
    pub(crate) fn result(&self, document: &impl Serialize, text: impl FnOnce() -> String) {
        if self.json {
            self.document(document);
        } else {
            out(&format!("{}\n", table::fitted(clean(&text()).trim_end())));
        }
    }

    /// A result whose text is a file of its own, such as a page or a CSV.
    pub(crate) fn file(&self, document: &impl Serialize, text: &str) {
        if self.json {
            self.document(document);
        } else {
            self.text(&format!("{}\n", text.trim_end()));
        }
    }

    /// Data to the byte, for forms whose newlines others count on.
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
        DOCUMENTED.store(true, Ordering::Relaxed);
        let body = serde_json::to_value(document)
            .and_then(|mut document| {
                in_english(&mut document);
                serde_json::to_string_pretty(&document)
            })
            .unwrap_or_else(|error| serde_json::json!({ "error": error.to_string() }).to_string());
        out(&format!("{}\n", clean_json(&body)));
    }

    /// A remark beside the result, on stderr.
    pub(crate) fn remark(&self, text: &str) {
        if !self.quiet {
            say(text);
        }
    }

    /// Why it could not be done. Shown even under `--quiet`. Where a result came first, that is the
    /// document, and stays the only one.
    pub(crate) fn failure(&self, error: &WireError) {
        if self.json && !DOCUMENTED.load(Ordering::Relaxed) {
            self.document(&serde_json::json!({ "error": error }));
        }
        self.sentence(&self.lang.say(&error.message));
    }

    /// The sentence on stderr alone, where the result has been printed already.
    pub(crate) fn sentence(&self, text: &str) {
        say(&format!("koab: {text}"));
    }
}

/// Has panics told as everything else is: their messages may quote what others wrote.
pub(crate) fn tell_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let thread = std::thread::current();
        let mut said = format!("thread '{}' {panic}", thread.name().unwrap_or("<unnamed>"));
        let backtrace = Backtrace::capture();
        if backtrace.status() == BacktraceStatus::Captured {
            said = format!("{said}\n{backtrace}");
        }
        say(&said);
    }));
}

/// Makes tables fit the columns that `COLUMNS` names, else the terminal, where stdout is one.
#[expect(clippy::disallowed_methods, reason = "looked at, not written to")]
pub(crate) fn fit_terminal() {
    let named = std::env::var("COLUMNS").ok();
    let named = named.and_then(|columns| columns.trim().parse().ok());
    let own = || terminal_size::terminal_size_of(io::stdout()).map(|(terminal_size::Width(width), _)| width);
    if let Some(width) = named.filter(|width| *width > 0).or_else(own) {
        table::fit_to(width.max(1));
    }
}

/// Why the result is not, or not whole, where it should have gone to. A closed pipe is no failure:
/// whoever reads has enough.
pub(crate) fn undelivered() -> Option<&'static io::Error> {
    FAILED.get()
}

#[expect(clippy::disallowed_methods, reason = "here alone, and cleaned")]
fn out(text: &str) {
    let mut stdout = io::stdout();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        let _ = FAILED.set(error);
    }
}

/// Whoever closed stderr has heard enough; a run does not end for that.
#[expect(clippy::disallowed_methods, reason = "here alone, and cleaned")]
pub(crate) fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{}", clean(text));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    const PANICS: &str = "KOAB_TEST_PANICS";

    /// The message is read from another process of the same test, which panics.
    #[test]
    #[expect(clippy::panic, reason = "what is tested")]
    fn a_panic_is_told_without_what_a_terminal_obeys() {
        if std::env::var_os(PANICS).is_some() {
            tell_panics();
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
