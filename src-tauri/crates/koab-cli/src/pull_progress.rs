//! Shows a download on stderr: on a terminal a bar with speed and remaining time, otherwise one
//! line per tenth of the download.

use crate::output::{Bar, Output};
use koab_api::PullState;
use koab_api::shown::bytes;
use koab_core::sentence::Language;
use koab_core::text;
use std::sync::atomic::{AtomicU64, Ordering};

/// Shows the progress of a download.
pub(crate) struct PullProgress {
    bar: Bar,
    plain: bool,
    lang: Language,
    /// Number of tenths of the download that have been reported.
    last_tenth: AtomicU64,
}

impl PullProgress {
    pub(crate) fn new(quiet: bool, lang: Language) -> Self {
        let bar = Bar::new("{bar:30} {msg}", quiet);
        Self { plain: !quiet && !bar.is_shown(), bar, lang, last_tenth: AtomicU64::new(0) }
    }

    pub(crate) fn show(&self, state: &PullState) {
        self.bar.length(state.total);
        self.bar.position(state.done);
        let mut text = format!("{} / {}", bytes(state.done), bytes(state.total));
        if let (Some(speed), Some(eta)) = (state.speed, state.eta_s) {
            text += &format!("  {}/s  ETA {}", bytes(speed as u64), clock(eta));
        }
        text += &format!("  {}/{} {}", state.files.0, state.files.1, self.lang.text(text!("files")));
        let tenth = (state.done * 10).checked_div(state.total).unwrap_or(0);
        if self.plain && self.last_tenth.fetch_max(tenth, Ordering::Relaxed) < tenth {
            let output = Output { json: false, quiet: false, lang: self.lang };
            output.remark(&text);
        }
        self.bar.message(&text);
    }

    pub(crate) fn finish(&self) {
        self.bar.finish();
    }
}

fn clock(seconds: f64) -> String {
    let seconds = seconds.min(359_999.0) as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}
