//! The desktop shell: a window around [`koab_api::Api`].
//!
//! The shell contains no logic of runs, packs or reports. `commands` passes requests to the API,
//! and `sink` passes events to the page. The command line can be built without this folder.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod arguments;
mod commands;
mod first_answers;
mod host;
mod links;
mod one_window;
mod sink;
mod updates;
mod web_view;
mod workspaces;

use arguments::Arguments;
use first_answers::FirstAnswers;
use koab_api::{Api, Home};
use one_window::Start;
use std::sync::Arc;
use tauri::Manager as _;

/// Opens the workspace and the window, and returns when the window is closed. If the workspace
/// already has a window, that one comes to the front and this function returns at once.
///
/// If the workspace cannot be opened, the window still opens and shows the error. A user who starts
/// it from a menu would not see an error on a terminal.
#[expect(clippy::exit, reason = "the code that tauri generates here may end the process; ours does not")]
pub fn run() -> tauri::Result<()> {
    web_view::prepare();
    let arguments = Arguments::parse(std::env::args_os().skip(1));
    let first = match Home::resolve(arguments.home.clone()) {
        Ok(home) => match one_window::start(home.path(), &arguments.links) {
            Start::First(first) => Some(first),
            Start::Shown => return Ok(()),
        },
        Err(_) => None,
    };
    tauri::Builder::default()
        .plugin(tauri_plugin_deep_link::init())
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_notification::init())
        .plugin(tauri_plugin_opener::init())
        .plugin(tauri_plugin_window_state::Builder::default().build())
        .setup(|app| {
            let answers = Arc::new(FirstAnswers::default());
            web_view::open(app, &answers)?;
            links::set_up(app, arguments.links);
            if let Some(first) = first {
                let handle = app.handle().clone();
                first.serve(move |links| links::follow(&handle, links));
            }
            updates::set_up(app)?;
            let api = Api::open(arguments.home);
            if let Ok(api) = api.clone() {
                tauri::async_runtime::spawn(async move {
                    answers.ask(&api).await;
                    if api.packs.list().is_ok() {
                        api.workspace.note_opened();
                    }
                });
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
            updates::host_updates,
            updates::host_updates_want,
            updates::host_updates_look,
            updates::host_updates_install,
            workspaces::host_workspace_open,
        ])
        .build(tauri::generate_context!("tauri.conf.json"))?
        .run(|app, event| {
            if let tauri::RunEvent::Exit = event
                && let Ok(api) = app.state::<commands::Workspace>().api()
            {
                // Stops a recording server and saves its recording. An error is ignored, because
                // nobody could read it.
                let _ = tauri::async_runtime::block_on(api.recorder.recording_stop());
            }
        });
    Ok(())
}
