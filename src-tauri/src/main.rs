//! Starts the window. Everything it can do is in `koab_api`; see `lib.rs`.
#![forbid(unsafe_code)]
// A release build on Windows would otherwise open a console beside the window.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

fn main() -> tauri::Result<()> {
    koab_desktop::run()
}
