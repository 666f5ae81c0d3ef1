//! A progress bar on a terminal's stderr. What it says is cleaned like everything else.

use super::clean::clean;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal as _;
use std::time::Duration;

/// A bar, or nothing where stderr is no terminal or nobody wants progress.
pub(crate) struct Bar {
    bar: ProgressBar,
    shown: bool,
}

impl Bar {
    /// A bar with the parts that `template` names, as indicatif has them; `{msg}` is what
    /// [`Bar::message`] said.
    #[expect(clippy::disallowed_methods, reason = "looked at, not written to")]
    pub(crate) fn new(template: &str, quiet: bool) -> Self {
        let shown = !quiet && std::io::stderr().is_terminal();
        let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, shown }
    }

    /// Whether somebody sees it.
    pub(crate) fn is_shown(&self) -> bool {
        self.shown
    }

    /// A line above the bar.
    #[expect(clippy::disallowed_methods, reason = "cleaned")]
    pub(crate) fn line(&self, text: &str) {
        self.bar.println(clean(text));
    }

    /// What stands beside the bar, in one line.
    #[expect(clippy::disallowed_methods, reason = "cleaned")]
    pub(crate) fn message(&self, text: &str) {
        self.bar.set_message(clean(text).replace(['\n', '\t'], " "));
    }

    pub(crate) fn length(&self, length: u64) {
        self.bar.set_length(length);
    }

    pub(crate) fn position(&self, position: u64) {
        self.bar.set_position(position);
    }

    pub(crate) fn advance(&self) {
        self.advance_by(1);
    }

    pub(crate) fn advance_by(&self, steps: u64) {
        self.bar.inc(steps);
    }

    /// Redraws it from time to time, so that its clock goes on.
    pub(crate) fn tick(&self) {
        self.bar.enable_steady_tick(Duration::from_millis(200));
    }

    /// Takes it away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
