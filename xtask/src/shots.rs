//! `cargo xtask shots`: screenshots of every screen, for review by people.

use std::process::{Command, ExitCode};

use anyhow::bail;

use crate::binaries::{self, Selection};
use crate::checkout::Checkout;
use crate::setup::{self, Need, browser};
use crate::{command, ui};

/// Builds the page and the command line and writes the screenshots below `target/shots`.
///
/// # Errors
/// When a requirement is missing, or a screen cannot be shown.
pub(crate) fn run(checkout: &Checkout) -> anyhow::Result<ExitCode> {
    let missing = setup::ensure(checkout, &[Need::UiPackages, Need::Browser]);
    if let Some(sentence) = missing.first_of(&[Need::Node, Need::UiPackages, Need::Browser]) {
        bail!("{sentence}");
    }
    ui::build_if_stale(checkout)?;
    let koab = binaries::build(checkout, Selection::WithoutWindow)?.koab;
    let mut script = Command::new("node");
    script.arg("ui/e2e/shots.mjs").arg(koab);
    script.arg(checkout.target.join("shots"));
    if let Some(shared) = checkout.shared() {
        script.arg(shared);
    }
    script
        .current_dir(&checkout.root)
        .env("KOAB_UI", checkout.ui().join("dist"))
        .env("KOAB_TINY", binaries::build_example(checkout, Selection::WithoutWindow, "tiny")?)
        .env("KOAB_CHROMIUM", browser().map_err(anyhow::Error::msg)?);
    command::succeed(&mut script)?;
    Ok(ExitCode::SUCCESS)
}
