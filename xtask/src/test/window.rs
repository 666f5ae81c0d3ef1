//! Test of the real window on a virtual display, driven over `WebDriver` by `ui/e2e/window.mjs`.

use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, bail};

use super::context::{Context, Required};
use super::count::Count;
use super::script;
use crate::binaries::{self, Selection};

/// Time limit of the script. The test takes well under a minute, but a web view may hang.
const LIMIT: Duration = Duration::from_secs(600);

/// Builds the window and runs the script, which prints `N passed, N failed` and writes screenshots.
pub(super) fn check(context: &Context<'_>) -> anyhow::Result<Count> {
    if context.selection != Selection::Everything {
        bail!("the UI could not be built, so there is no window to test");
    }
    let window =
        binaries::build(context.checkout, context.selection)?.window.context("BUG: it was selected")?;
    let home = context.checkout.scratch("window-home")?;
    let screenshots = context.checkout.target.join("xtask/screenshots");
    std::fs::create_dir_all(&screenshots)?;

    let mut script = Command::new("xvfb-run");
    script.args(["--auto-servernum", "--server-args=-screen 0 1280x900x24", "node", "ui/e2e/window.mjs"]);
    script.arg(&window).arg(&screenshots).current_dir(&context.checkout.root);
    script.env("KOAB_HOME", home.path());
    // Without a GPU, sharing buffers is slower than copying them.
    script.env("WEBKIT_DISABLE_DMABUF_RENDERER", "1");
    script.env_remove("WAYLAND_DISPLAY");
    if context.required == Required::All {
        script.env("KOAB_REQUIRE_ALL", "1");
    }
    script::count(&mut script, "ui/e2e/window.mjs", LIMIT)
}
