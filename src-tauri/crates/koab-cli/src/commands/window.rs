//! `koab` without a subcommand: the window beside it, or the help text where there is no display.

use crate::CommandEnd;
use crate::args::Cli;
use clap::CommandFactory as _;
use koab_api::{Api, WireError};
use koab_core::say;
use std::process::Command;

pub(crate) fn open(api: &Api) -> Result<CommandEnd, WireError> {
    let shown = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let display = !cfg!(target_os = "linux") || shown("DISPLAY") || shown("WAYLAND_DISPLAY");
    let name = if cfg!(windows) {
        "koab-desktop.exe"
    } else {
        "koab-desktop"
    };
    let window = std::env::current_exe()
        .ok()
        .and_then(|exe| Some(exe.parent()?.join(name)));
    match window.filter(|path| display && path.is_file()) {
        Some(window) => {
            let started = Command::new(&window)
                .env("KOAB_HOME", api.workspace.home().path())
                .spawn();
            started.map_err(|error| {
                WireError::not_found(say!("{} does not start: {error}", window.display()))
            })?;
        }
        None => {
            let _ = Cli::command().print_long_help();
        }
    }
    Ok(CommandEnd::Done)
}
