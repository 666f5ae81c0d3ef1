//! The user's stories in a real browser on the built `koab serve`, told by `ui/e2e/stories.mjs`.

use std::process::Command;
use std::time::Duration;

use anyhow::Context as _;

use super::context::Context;
use super::count::Count;
use crate::setup::browser;
use crate::{binaries, command, ui};

/// All stories take some minutes, a page that never comes for ever.
const LIMIT: Duration = Duration::from_secs(1200);

/// Builds the page and the command line and runs the script, which prints `N passed, N failed`.
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
    let watched = command::watch(&mut script, LIMIT)?;
    let mut count = Count::from_lines(&watched.lines).with_context(|| {
        format!(
            "ui/e2e/stories.mjs ended with {} and printed no count",
            watched.status
        )
    })?;
    if !watched.status.success() && count.failed() == 0 {
        count
            .failures
            .push(format!("ui/e2e/stories.mjs ended with {}", watched.status));
    }
    Ok(count)
}
