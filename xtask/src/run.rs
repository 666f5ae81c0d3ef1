//! `cargo xtask run`: from a clean clone to the product in one command.
//!
//! If the machine has a display, the command opens the window. Otherwise it runs the golden
//! baseline (a built-in model that makes the calls that each task expects) on the starter pack and
//! shows the score table. This needs no key, no network and no Node.

use std::process::{Command, ExitCode};

use anyhow::{Context as _, bail};

use crate::binaries::{self, Selection};
use crate::checkout::Checkout;
use crate::setup::{self, Need};
use crate::{out, ui};

/// Arguments that are used by default when the machine has no display.
const BASELINE: [&str; 4] = ["run", "--model", "baseline/golden", "--evaluate"];

/// Sets up the machine, builds and starts the product, and returns its exit code.
///
/// # Errors
/// When a requirement is missing, or a build fails.
pub(crate) fn run(checkout: &Checkout, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let headless = arguments.first().is_some_and(|first| first == "--headless");
    let arguments = if headless { &arguments[1..] } else { arguments };
    if headless || !has_display() {
        return run_headless(checkout, arguments);
    }

    let missing = setup::ensure(checkout, &[Need::UiPackages, Need::WindowBuild, Need::ModelBuild]);
    if let Some(sentence) =
        missing.first_of(&[Need::Node, Need::UiPackages, Need::WindowBuild, Need::ModelBuild])
    {
        bail!("{sentence}; `cargo xtask run --headless` runs without the window");
    }
    ui::build_if_stale(checkout)?;
    let built = binaries::build(checkout, Selection::Everything)?;
    let window = built.window.context("BUG: the window was selected")?;
    out::line("opening the window");
    start(Command::new(window).args(arguments))
}

fn run_headless(checkout: &Checkout, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let missing = setup::ensure(checkout, &[Need::ModelBuild]);
    let selection = match missing.first_of(&[Need::ModelBuild]) {
        Some(sentence) => {
            out::line(format_args!("without models inside the application: {sentence}"));
            Selection::WithoutModels
        }
        None => Selection::WithoutWindow,
    };
    let koab = binaries::build(checkout, selection)?.koab;
    let mut command = Command::new(koab);
    command.current_dir(&checkout.root);
    if arguments.is_empty() {
        out::line(format_args!("no display: running `koab {}`", BASELINE.join(" ")));
        command.args(BASELINE);
    } else {
        command.args(arguments);
    }
    start(&mut command)
}

fn start(command: &mut Command) -> anyhow::Result<ExitCode> {
    let status = command.status().context("the built binary cannot be started")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

fn has_display() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}
