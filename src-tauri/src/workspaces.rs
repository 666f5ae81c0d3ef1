//! Opens other workspaces from the window. Each workspace has its own process; `one_window.rs`
//! explains why.

use crate::one_window;
use koab_api::{WindowFault, WireError};
use std::path::Path;
use std::process::Command;
use tauri::{AppHandle, Manager as _, Runtime};
use tauri_plugin_window_state::{AppHandleExt as _, StateFlags};

/// Opens the workspace in this folder in a new window, or brings its existing window to the front.
///
/// With `here`, the new window replaces this one, which closes unless the workspace already had a
/// window.
#[tauri::command]
pub(crate) fn host_workspace_open<R: Runtime>(
    app: AppHandle<R>,
    folder: &str,
    here: bool,
) -> Result<(), WireError> {
    let home = Path::new(folder);
    if !home.is_absolute() {
        return Err(WireError::bad_request(WindowFault::NotFullPath(home.to_owned())));
    }
    let is_open = one_window::is_there(home);
    if here {
        // The next window opens at this one's place.
        let _ = app.save_window_state(StateFlags::all());
    }
    let program = tauri::process::current_binary(&app.env()).map_err(WireError::internal)?;
    let window = Command::new(&program).arg("--home").arg(home).spawn();
    let mut window = window.map_err(|error| {
        WireError::not_found(WindowFault::NotStarted { program, error: error.to_string() })
    })?;
    // The process is waited for, because one that finds another window ends at once.
    std::thread::spawn(move || window.wait());
    if here && !is_open {
        app.exit(0);
    }
    Ok(())
}
