//! The UI's build, which the window embeds.

use std::path::Path;
use std::time::SystemTime;

use crate::place::Place;
use crate::{command, out};

/// What the build reads. The page has the guide in it, and how it works inside.
const SOURCES: [&str; 10] = [
    "src",
    "public",
    "static",
    "index.html",
    "package-lock.json",
    "vite.config.ts",
    "svelte.config.js",
    "tsconfig.json",
    "../docs/guide",
    "../docs/design",
];

/// Builds `ui/dist` when a source is newer than it. The npm packages must be there.
///
/// # Errors
/// When the build fails; npm has then shown why.
pub(crate) fn build_if_stale(place: &Place) -> anyhow::Result<()> {
    let ui = place.ui();
    let built = ui
        .join("dist/index.html")
        .metadata()
        .and_then(|file| file.modified())
        .ok();
    let newest = SOURCES
        .iter()
        .filter_map(|source| newest_in(&ui.join(source)))
        .max();
    if built.is_some() && built >= newest {
        return Ok(());
    }
    build(place)
}

/// Builds `ui/dist`.
///
/// # Errors
/// When the build fails; npm has then shown why.
pub(crate) fn build(place: &Place) -> anyhow::Result<()> {
    out::line("building the UI");
    command::succeed(command::npm(&place.ui()).args(["run", "build"]))
}

/// When the newest file at or below `path` was written; nothing when there is none.
fn newest_in(path: &Path) -> Option<SystemTime> {
    if path.is_file() {
        return path.metadata().ok()?.modified().ok();
    }
    std::fs::read_dir(path)
        .ok()?
        .filter_map(Result::ok)
        .filter_map(|entry| newest_in(&entry.path()))
        .max()
}
