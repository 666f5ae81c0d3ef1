//! Two doors: a command by name, and a command by name that sends events as well. The commands
//! themselves are declared in `koab-api`'s table; nothing is decided here.

use crate::sink::channel_sink;
use koab_api::{Api, Batch, Nobody, WireError};
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};
use tauri::State;
use tauri::async_runtime::JoinHandle;
use tauri::ipc::{Channel, Response};

/// The workspace, or why it could not be opened: every command then answers with that reason.
pub(crate) struct Workspace {
    opened: Result<Api, WireError>,
    /// What tells the page of jobs. A page that is loaded anew follows them anew, and nobody hears
    /// the old one's.
    followed: Mutex<Option<JoinHandle<()>>>,
}

impl Workspace {
    pub(crate) fn new(opened: Result<Api, WireError>) -> Self {
        Self { opened, followed: Mutex::default() }
    }

    pub(crate) fn api(&self) -> Result<&Api, WireError> {
        self.opened.as_ref().map_err(WireError::clone)
    }
}

type Answer = Result<Response, WireError>;

#[tauri::command]
pub(crate) async fn call(workspace: State<'_, Workspace>, command: String, args: Value) -> Answer {
    let answer = workspace.api()?.call(&command, args, Arc::new(Nobody)).await?;
    Ok(Response::new(answer))
}

#[tauri::command]
pub(crate) async fn stream(
    workspace: State<'_, Workspace>,
    command: String,
    args: Value,
    on_events: Channel<Batch>,
) -> Answer {
    let (sink, passing) = channel_sink(on_events);
    let answer = workspace.api()?.call(&command, args, Arc::new(sink)).await?;
    if command == "jobs_subscribe" {
        let mut followed = workspace.followed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(old) = followed.replace(passing) {
            old.abort();
        }
    }
    Ok(Response::new(answer))
}
