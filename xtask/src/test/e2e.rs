//! Test of users' stories in a real browser on the built `koab serve`: `ui/e2e/stories.mjs`.

use std::process::Command;
use std::time::Duration;

use super::context::Context;
use super::count::Count;
use super::script;
use crate::setup::browser;
use crate::{binaries, ui};

/// Time limit of the script. All stories take some minutes.
const LIMIT: Duration = Duration::from_secs(2400);

/// Builds the page and the command line, and runs the script of the stories, which prints `N
/// passed, N failed`.
pub(super) fn check(context: &Context<'_>) -> anyhow::Result<Count> {
    ui::build_if_stale(context.checkout)?;
    let koab = binaries::build(context.checkout, context.selection)?.koab;
    let mut script = Command::new("node");
    script
        .arg("ui/e2e/stories.mjs")
        .arg(koab)
        .current_dir(&context.checkout.root)
        .env("KOAB_UI", context.checkout.ui().join("dist"))
        .env("KOAB_CHROMIUM", browser().map_err(anyhow::Error::msg)?);
    if context.selection != binaries::Selection::WithoutModels {
        let tiny = binaries::build_example(context.checkout, context.selection, "tiny")?;
        script.env("KOAB_TINY", tiny);
    }
    if let Some(shared) = context.checkout.shared() {
        script.arg("--shared").arg(shared);
    }
    script::count(&mut script, "ui/e2e/stories.mjs", LIMIT)
}
