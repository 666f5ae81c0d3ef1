//! The shell: a window around [`koab_api::Api`].
//!
//! Nothing here knows what a run, a pack or a report is; `commands` hands requests on and `sink` hands events back.
//! Deleting this folder leaves a product that still runs from the command line.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod commands;
mod sink;

use koab_api::Api;
use tauri::Manager as _;

/// Opens the workspace and the window; returns when the window is closed.
///
/// A workspace that cannot be opened is no reason not to start: the window then shows the reason, because whoever
/// starts it from a menu never sees what is written to a terminal.
#[expect(
    clippy::exit,
    reason = "the code that tauri generates here may end the process; ours does not"
)]
pub fn run() -> tauri::Result<()> {
    tauri::Builder::default()
        .setup(|app| {
            app.manage(commands::Workspace::new(Api::open(None)));
            Ok(())
        })
        .invoke_handler(tauri::generate_handler![commands::call, commands::stream])
        .run(tauri::generate_context!("tauri.conf.json"))
}
