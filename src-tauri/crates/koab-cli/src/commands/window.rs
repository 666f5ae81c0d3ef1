//! Opens the window from the command line: `koab` without a subcommand, and `koab open`.

use crate::CommandEnd;
use koab_api::{Api, HomeOrigin, WireError};
use koab_core::say;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Characters that are escaped in a link: all except letters, digits, `-`, `_`, `.` and `~`.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// `koab` without a subcommand: opens the window, or prints the help text without a display.
pub(crate) fn alone(api: &Api) -> Result<CommandEnd, WireError> {
    match window_program().filter(|_| has_display()) {
        Some(window) => start(api, &window, None)?,
        None => {
            let _ = crate::help::command(api.workspace.language()).print_long_help();
        }
    }
    Ok(CommandEnd::Done)
}

/// `koab open`: opens the window at a run or a report, or with files to import.
pub(crate) fn open(api: &Api, what: Option<&str>) -> Result<CommandEnd, WireError> {
    let link = what.map(|word| link(api, word)).transpose()?;
    if !has_display() {
        return Err(WireError::bad_request(say!(
            "there is no display for a window; `koab serve` shows its pages in a browser"
        )));
    }
    let window = window_program().ok_or_else(|| {
        WireError::not_found(say!(
            "the window's program is not beside this one; `koab serve --open` shows its pages in a browser"
        ))
    })?;
    start(api, &window, link.as_deref())?;
    Ok(CommandEnd::Done)
}

/// Link to a run, a report, or files on the disk of this computer. `ui/src/app/links.ts` parses the
/// link.
fn link(api: &Api, word: &str) -> Result<String, WireError> {
    let encoded = |text: &str| utf8_percent_encode(text, ESCAPED).to_string();
    let error = match api.runs.library.report_meant(word) {
        Ok((_, Some(run))) => return Ok(format!("koab://run/{}", encoded(&run.id))),
        Ok((report, None)) => return Ok(format!("koab://report/{}", encoded(&report))),
        Err(error) => error,
    };
    if let Ok(run) = api.runs.library.run_show(word) {
        return Ok(format!("koab://run/{}", encoded(&run.id)));
    }
    match Path::new(word).canonicalize() {
        Ok(path) => Ok(format!("koab://import?path={}", encoded(&path.display().to_string()))),
        Err(_) => Err(error),
    }
}

fn has_display() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// Path of the window's program, which installers put next to the command line.
fn window_program() -> Option<PathBuf> {
    let name = if cfg!(windows) { "koab-desktop.exe" } else { "koab-desktop" };
    let path = std::env::current_exe().ok()?.parent()?.join(name);
    path.is_file().then_some(path)
}

fn start(api: &Api, window: &Path, link: Option<&str>) -> Result<(), WireError> {
    let mut command = Command::new(window);
    let home = api.workspace.home();
    // The window finds any other workspace as this program does. If the workspace is already open
    // in a window, that window shows the link.
    if home.origin() == HomeOrigin::Asked {
        command.arg("--home").arg(home.path());
    }
    let started = command.args(link).spawn();
    started.map_err(|error| WireError::not_found(say!("{} does not start: {error}", window.display())))?;
    Ok(())
}
