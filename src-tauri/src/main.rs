//! Starts the window. The commands of the window are in `koab_api`; see `lib.rs`.
#![forbid(unsafe_code)]
// Without it, a release build on Windows opens a console next to the window.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

fn main() -> tauri::Result<()> {
    koab_desktop::run()
}
