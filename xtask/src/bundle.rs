//! `cargo xtask bundle`: the Debian package, with the window and the command line in it.
//!
//! Cargo builds the binaries and the Tauri command line packs them (`tauri bundle`, the second half of `tauri build`).
//! So the test packs what the other tests have built, and does not build a third time.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, bail, ensure};
use serde_json::json;

use crate::binaries::{self, Binaries, Selection};
use crate::place::Place;
use crate::setup::{self, Need};
use crate::{command, out, ui};

/// Builds the package in the release profile, or with `--debug` in the development profile.
///
/// # Errors
/// When something that is needed is missing, or a step fails.
pub(crate) fn run(place: &Place, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let debug = match arguments {
        [] => false,
        [one] if one == "--debug" => true,
        other => bail!("no such option: {}; there is only --debug", other.join(" ")),
    };
    let missing = setup::ensure(place, &[Need::UiPackages, Need::WindowBuild]);
    if let Some(sentence) = missing.first_of(&[Need::Node, Need::UiPackages, Need::WindowBuild]) {
        bail!("{sentence}");
    }
    ui::build_if_stale(place)?;
    let built = if debug {
        binaries::build(place, Selection::Everything)?
    } else {
        binaries::build_release(place)?
    };
    out::line(pack(place, &built)?.display());
    Ok(ExitCode::SUCCESS)
}

/// Packs built binaries; answers where the package is.
///
/// # Errors
/// When the window was not built, or the Tauri command line fails.
pub(crate) fn pack(place: &Place, built: &Binaries) -> anyhow::Result<PathBuf> {
    let window = built.window.as_deref().context("the window was not built")?;
    let folder = window.parent().context("BUG: a binary lies in a folder")?;
    let debug = folder.ends_with("debug");
    let packages = folder.join("bundle/deb");
    if packages.exists() {
        // One of an earlier version would be taken for this one's.
        std::fs::remove_dir_all(&packages).with_context(|| format!("cannot empty {}", packages.display()))?;
    }
    let also = json!({ "bundle": { "linux": { "deb": { "files": { "/usr/bin/koab": built.koab } } } } });
    let mut tauri = Command::new(place.ui().join("node_modules/.bin/tauri"));
    tauri.args([
        "bundle",
        "--ci",
        "--bundles",
        "deb",
        "--config",
        &also.to_string(),
    ]);
    if debug {
        tauri.arg("--debug");
    }
    command::succeed(tauri.current_dir(&place.root))?;
    only_package(&packages)
}

fn only_package(folder: &Path) -> anyhow::Result<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .with_context(|| format!("no package was made below {}", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "deb"))
        .collect();
    ensure!(
        found.len() == 1,
        "{} packages were made in {} instead of one",
        found.len(),
        folder.display()
    );
    found.pop().context("BUG: it was counted")
}
