//! Build of the UI, which the window embeds.

use std::path::Path;
use std::time::SystemTime;

use crate::checkout::Checkout;
use crate::{command, out};

/// Inputs of the build of the UI. The page contains the guide and the design documents.
const SOURCES: [&str; 11] = [
    "src",
    "public",
    "static",
    "index.html",
    "package-lock.json",
    "vite.config.ts",
    "icons.ts",
    "svelte.config.js",
    "tsconfig.json",
    "../docs/guide",
    "../docs/design",
];

/// Builds `ui/dist` if an input is newer than the last build. The npm packages must be installed.
///
/// # Errors
/// When the build fails. npm has then shown the reason.
pub(crate) fn build_if_stale(checkout: &Checkout) -> anyhow::Result<()> {
    let ui = checkout.ui();
    let built = ui.join("dist/index.html").metadata().and_then(|file| file.modified()).ok();
    let newest = SOURCES.iter().filter_map(|source| newest_in(&ui.join(source))).max();
    if built.is_some() && built >= newest {
        return Ok(());
    }
    build(checkout)
}

/// Builds `ui/dist`.
///
/// # Errors
/// When the build fails. npm has then shown the reason.
pub(crate) fn build(checkout: &Checkout) -> anyhow::Result<()> {
    out::line("building the UI");
    command::succeed(command::npm(&checkout.ui()).args(["run", "build"]))
}

/// Modification time of the newest file at or below `path`; `None` without files.
fn newest_in(path: &Path) -> Option<SystemTime> {
    if path.is_file() {
        return path.metadata().ok()?.modified().ok();
    }
    std::fs::read_dir(path).ok()?.filter_map(Result::ok).filter_map(|entry| newest_in(&entry.path())).max()
}
