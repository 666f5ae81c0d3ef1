//! `cargo xtask shots`: pictures of every screen, for people to look at.

use std::process::{Command, ExitCode};

use anyhow::bail;

use crate::binaries::{self, Selection};
use crate::place::Place;
use crate::setup::{self, Need, browser};
use crate::{command, ui};

/// Builds the page and the command line and writes the pictures below `target/shots`.
///
/// # Errors
/// When something that is needed is missing, or a screen cannot be shown.
pub(crate) fn run(place: &Place) -> anyhow::Result<ExitCode> {
    let missing = setup::ensure(place, &[Need::UiPackages, Need::Browser]);
    if let Some(sentence) = missing.first_of(&[Need::Node, Need::UiPackages, Need::Browser]) {
        bail!("{sentence}");
    }
    ui::build_if_stale(place)?;
    let koab = binaries::build(place, Selection::WithoutWindow)?.koab;
    let mut script = Command::new("node");
    script.arg("ui/e2e/shots.mjs").arg(koab);
    script.arg(place.target.join("shots"));
    if let Some(shared) = place.shared() {
        script.arg(shared);
    }
    script
        .current_dir(&place.root)
        .env("KOAB_UI", place.ui().join("dist"))
        .env(
            "KOAB_TINY",
            binaries::build_example(place, Selection::WithoutWindow, "tiny")?,
        )
        .env("KOAB_CHROMIUM", browser().map_err(anyhow::Error::msg)?);
    command::succeed(&mut script)?;
    Ok(ExitCode::SUCCESS)
}
