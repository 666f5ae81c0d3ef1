//! The shell: a window around [`koab_api::Api`].
//!
//! Nothing here knows what a run, a pack or a report is; `commands` hands requests on and `sink` hands events back.
//! Deleting this folder leaves a product that still runs from the command line.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod arguments;
mod commands;
mod first;
mod host;
mod links;
mod one_window;
mod sink;
mod updates;
mod web_view;
mod workspaces;

use arguments::Arguments;
use first::FirstAnswers;
use koab_api::{Api, Home, WireError};
use one_window::Start;
use std::path::PathBuf;
use tauri::Manager as _;

/// Opens the workspace and the window; returns when the window is closed, or at once where the workspace has one, which
/// then comes to the front.
///
/// A workspace that cannot be opened is no reason not to start: the window then shows the reason, because whoever
/// starts it from a menu never sees what is written to a terminal.
#[expect(
    clippy::exit,
    reason = "the code that tauri generates here may end the process; ours does not"
)]
pub fn run() -> tauri::Result<()> {
    let asked = Arguments::parse(std::env::args_os().skip(1));
    let first = match Home::resolve(asked.home.clone()) {
        Ok(home) => match one_window::start(home.path(), &asked.links) {
            Start::First(first) => Some(first),
            Start::Shown => return Ok(()),
        },
        Err(_) => None,
    };
    // Beside the start of the window system, which takes longer.
    let home = asked.home.clone();
    let opening = std::thread::spawn(move || open(home));
    tauri::Builder::default()
        .plugin(first::plugin())
        .plugin(tauri_plugin_deep_link::init())
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_notification::init())
        .plugin(tauri_plugin_opener::init())
        .plugin(tauri_plugin_window_state::Builder::default().build())
        .setup(|app| {
            web_view::set_up(app);
            links::set_up(app, asked.links);
            if let Some(first) = first {
                let handle = app.handle().clone();
                first.serve(move |links| links::follow(&handle, links));
            }
            updates::set_up(app)?;
            let (api, answers) = opening
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            app.manage(commands::Workspace::new(api));
            app.manage(answers);
            Ok(())
        })
        .invoke_handler(tauri::generate_handler![
            commands::call,
            commands::stream,
            first::host_first,
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
                // What was recorded is kept, and the recorded server goes; why it could not be, nobody is there to read.
                let _ = tauri::async_runtime::block_on(api.recorder.recording_stop());
            }
        });
    Ok(())
}

/// Opens the workspace, and asks it what the page will ask first of all.
fn open(home: Option<PathBuf>) -> (Result<Api, WireError>, FirstAnswers) {
    let api = Api::open(home);
    let answers = FirstAnswers::ask(api.as_ref().ok().cloned());
    if let Ok(api) = api.clone() {
        std::thread::spawn(move || {
            if api.packs.list().is_ok() {
                api.workspace.note_opened();
            }
        });
    }
    (api, answers)
}
