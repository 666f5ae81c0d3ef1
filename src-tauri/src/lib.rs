//! The shell: a window around [`koab_api::Api`].
//!
//! Nothing here knows what a run, a pack or a report is; `commands` hands requests on and `sink` hands events back.
//! Deleting this folder leaves a product that still runs from the command line.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod commands;
mod host;
mod links;
mod sink;
mod web_view;

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
    let mut builder = tauri::Builder::default();
    // Two windows would hold two views of one workspace. Tests drive several side by side, each with a home of its own.
    if std::env::var_os("KOAB_HOME").is_none() {
        builder = builder.plugin(tauri_plugin_single_instance::init(|app, _, _| {
            host::to_front(app);
        }));
    }
    builder
        .plugin(tauri_plugin_deep_link::init())
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_notification::init())
        .plugin(tauri_plugin_opener::init())
        .plugin(tauri_plugin_window_state::Builder::default().build())
        .setup(|app| {
            web_view::set_up(app);
            links::set_up(app);
            // Off until whoever builds the product names a server and a key for updates (`plugins.updater`).
            if app.config().plugins.0.contains_key("updater") {
                app.handle()
                    .plugin(tauri_plugin_updater::Builder::new().build())?;
            }
            let api = Api::open(None);
            if let Ok(api) = api.clone() {
                // The database opens while the web view starts, and not only when the page asks.
                std::thread::spawn(move || drop(api.packs.list()));
            }
            app.manage(commands::Workspace::new(api));
            Ok(())
        })
        .invoke_handler(tauri::generate_handler![
            commands::call,
            commands::stream,
            host::host_pick,
            host::host_save,
            host::host_notify,
            host::host_open,
            host::host_progress,
            links::host_links,
        ])
        .run(tauri::generate_context!("tauri.conf.json"))
}
