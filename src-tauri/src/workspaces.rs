//! Other workspaces, opened from the window: each is a process of its own (`one_window.rs` says
//! why).

use crate::one_window;
use koab_api::WireError;
use std::path::Path;
use std::process::Command;
use tauri::{AppHandle, Manager as _, Runtime};
use tauri_plugin_window_state::{AppHandleExt as _, StateFlags};

/// Opens the workspace in this folder in a window of its own, or brings the one that shows it to
/// the front; `here`: in the place of this window, which closes unless another one shows that
/// workspace already.
#[tauri::command]
pub(crate) fn host_workspace_open<R: Runtime>(
    app: AppHandle<R>,
    folder: &str,
    here: bool,
) -> Result<(), WireError> {
    let home = Path::new(folder);
    if !home.is_absolute() {
        return Err(WireError::bad_request(format!("{folder} is not a full path")));
    }
    let shown = one_window::is_there(home);
    if here {
        // The next window takes this one's place.
        let _ = app.save_window_state(StateFlags::all());
    }
    let failed = |error: &dyn std::fmt::Display| {
        WireError::not_found(format!("the window's program does not start: {error}"))
    };
    let program = tauri::process::current_binary(&app.env()).map_err(|error| failed(&error))?;
    let mut window = Command::new(program).arg("--home").arg(home).spawn().map_err(|error| failed(&error))?;
    // Waited for, since one that has handed over ends at once.
    std::thread::spawn(move || window.wait());
    if here && !shown {
        app.exit(0);
    }
    Ok(())
}
