//! The one place that writes to stdout and stderr.

use crate::lang::Lang;
use koab_api::WireError;
use serde::Serialize;
use std::io::Write as _;

/// Where results and remarks go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output {
    /// One JSON document instead of text.
    pub(crate) json: bool,
    /// No progress.
    pub(crate) quiet: bool,
    /// Language of texts.
    pub(crate) lang: Lang,
}

impl Output {
    /// The result: the document under `--json`, else the text. A closed pipe is not an error: whoever reads has enough.
    pub(crate) fn result(&self, document: &impl Serialize, text: impl FnOnce() -> String) {
        let body = if self.json {
            serde_json::to_string_pretty(document)
                .unwrap_or_else(|error| format!("{{\"error\": \"{error}\"}}"))
        } else {
            text()
        };
        let _ = writeln!(std::io::stdout(), "{}", body.trim_end());
    }

    /// Text to the byte, for forms whose newlines others count on.
    #[expect(clippy::unused_self, reason = "as its neighbours are called")]
    pub(crate) fn text(&self, text: &str) {
        let _ = write!(std::io::stdout(), "{text}");
    }

    /// A remark beside the result, on stderr.
    pub(crate) fn remark(&self, text: &str) {
        if !self.quiet {
            say(text);
        }
    }

    /// Why it could not be done. Shown even under `--quiet`.
    pub(crate) fn failure(&self, error: &WireError) {
        if self.json {
            self.result(&serde_json::json!({ "error": error }), String::new);
        }
        self.sentence(&self.lang.said(&error.message));
    }

    /// The sentence on stderr alone, where the result has been printed already.
    pub(crate) fn sentence(&self, text: &str) {
        say(&format!("koab: {text}"));
    }
}

/// Whoever closed stderr has heard enough; a run does not end for that.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Rows as aligned columns. Korean letters are two columns wide on a terminal.
pub(crate) fn columns(header: &[&str], rows: &[Vec<String>]) -> String {
    let width = |text: &str| {
        text.chars()
            .map(|c| {
                if ('\u{1100}'..='\u{ffdc}').contains(&c) {
                    2
                } else {
                    1
                }
            })
            .sum()
    };
    let mut widths: Vec<usize> = header.iter().map(|h| width(h)).collect();
    for row in rows {
        for (i, cell) in row.iter().enumerate() {
            widths[i] = widths[i].max(width(cell));
        }
    }
    let line = |cells: Vec<&str>| {
        let mut text = String::new();
        for (i, cell) in cells.iter().enumerate() {
            text.push_str(cell);
            if i + 1 < cells.len() {
                text.push_str(&" ".repeat(widths[i] - width(cell) + 2));
            }
        }
        text + "\n"
    };
    let mut text = line(header.to_vec());
    for row in rows {
        text.push_str(&line(row.iter().map(String::as_str).collect()));
    }
    text
}
