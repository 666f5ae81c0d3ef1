//! Two doors: a command by name, and a command by name that sends events as well. The commands themselves are declared
//! in `koab-api`'s table; nothing is decided here.

use crate::sink::channel_sink;
use koab_api::{Api, EventSink, RunEvent, WireError};
use serde_json::Value;
use std::sync::Arc;
use tauri::State;
use tauri::ipc::{Channel, Response};

/// The workspace, or why it could not be opened: every command then answers with that reason.
pub(crate) struct Workspace(Result<Api, WireError>);

impl Workspace {
    pub(crate) fn new(opened: Result<Api, WireError>) -> Self {
        Self(opened)
    }

    pub(crate) fn api(&self) -> Result<&Api, WireError> {
        self.0.as_ref().map_err(WireError::clone)
    }
}

type Answer = Result<Response, WireError>;

/// Hears the events of commands that nobody listens to.
struct Nobody;

impl EventSink for Nobody {
    fn send(&self, _: &RunEvent) {}
}

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
    on_events: Channel<Vec<RunEvent>>,
) -> Answer {
    let sink = Arc::new(channel_sink(on_events));
    let answer = workspace.api()?.call(&command, args, sink).await?;
    Ok(Response::new(answer))
}
