//! A progress bar on a terminal's stderr. Its text is cleaned like all other output.

use super::clean::clean;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal as _;
use std::time::Duration;

/// A progress bar. It is hidden with `--quiet`, or if stderr is not a terminal.
pub(crate) struct Bar {
    bar: ProgressBar,
    visible: bool,
}

impl Bar {
    /// Creates a bar from an indicatif template. `{msg}` is the text of [`Bar::message`].
    #[expect(clippy::disallowed_methods, reason = "looked at, not written to")]
    pub(crate) fn new(template: &str, quiet: bool) -> Self {
        let visible = !quiet && std::io::stderr().is_terminal();
        let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, visible }
    }

    /// Whether the bar is visible.
    pub(crate) fn is_shown(&self) -> bool {
        self.visible
    }

    /// Prints a line above the bar.
    #[expect(clippy::disallowed_methods, reason = "cleaned")]
    pub(crate) fn line(&self, text: &str) {
        self.bar.println(clean(text));
    }

    /// Sets the text next to the bar, as one line.
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

    pub(crate) fn retreat_by(&self, steps: u64) {
        self.bar.set_position(self.bar.position().saturating_sub(steps));
    }

    /// Redraws the bar regularly, so that its clock advances.
    pub(crate) fn tick(&self) {
        self.bar.enable_steady_tick(Duration::from_millis(200));
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
