//! The two Tauri commands of the page. One runs a command of `koab-api` by name, the other also
//! streams the events of that command. `koab-api` declares the commands.

use crate::sink::channel_sink;
use koab_api::{Api, Batch, Nobody, WireError};
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};
use tauri::State;
use tauri::async_runtime::JoinHandle;
use tauri::ipc::{Channel, Response};

/// The open workspace, or the error that prevented its opening. In that case every command returns
/// the error.
pub(crate) struct Workspace {
    result: Result<Api, WireError>,
    /// Task that sends job events to the page. After a reload of the page it is replaced, and the
    /// old one is aborted.
    job_events: Mutex<Option<JoinHandle<()>>>,
}

impl Workspace {
    pub(crate) fn new(result: Result<Api, WireError>) -> Self {
        Self { result, job_events: Mutex::default() }
    }

    pub(crate) fn api(&self) -> Result<&Api, WireError> {
        self.result.as_ref().map_err(WireError::clone)
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
        let mut job_events = workspace.job_events.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(old) = job_events.replace(passing) {
            old.abort();
        }
    }
    Ok(Response::new(answer))
}
