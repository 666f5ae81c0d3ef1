//! One-line adapters: a command's name and arguments as the UI sends them, onto the method of [`Api`] that does it.
//!
//! What a command means is documented there. Nothing is decided here.

use crate::sink::ChannelSink;
use koab_api::{
    Api, AppInfo, EvaluateRequest, ModelSummary, PackSummary, ReportView, RunEvent, RunRequest, RunSnapshot,
    RunSummary, WireError,
};
use std::sync::Arc;
use tauri::State;
use tauri::ipc::Channel;

/// The workspace, or why it could not be opened: every command then answers with that reason.
pub(crate) struct Workspace(Result<Api, WireError>);

impl Workspace {
    pub(crate) fn new(opened: Result<Api, WireError>) -> Self {
        Self(opened)
    }

    fn api(&self) -> Result<&Api, WireError> {
        self.0.as_ref().map_err(WireError::clone)
    }
}

type Answer<T> = Result<T, WireError>;

// `command(async)`: what reads the disk must not run on the thread that draws the window.

#[tauri::command]
pub(crate) fn app_info(workspace: State<'_, Workspace>) -> Answer<AppInfo> {
    workspace.api()?.app_info()
}

#[tauri::command(async)]
pub(crate) fn packs_list(workspace: State<'_, Workspace>) -> Answer<Vec<PackSummary>> {
    workspace.api()?.packs_list()
}

#[tauri::command(async)]
pub(crate) fn pack_use(workspace: State<'_, Workspace>, name: &str) -> Answer<()> {
    workspace.api()?.pack_use(name)
}

#[tauri::command]
pub(crate) fn models_list(workspace: State<'_, Workspace>) -> Answer<Vec<ModelSummary>> {
    Ok(workspace.api()?.models_list())
}

#[tauri::command]
pub(crate) async fn run_start(
    workspace: State<'_, Workspace>,
    request: RunRequest,
    on_events: Channel<Vec<RunEvent>>,
) -> Answer<()> {
    workspace
        .api()?
        .run_start(request, Arc::new(ChannelSink::new(on_events)))
        .await
}

#[tauri::command]
pub(crate) fn run_subscribe(
    workspace: State<'_, Workspace>,
    run: &str,
    on_events: Channel<Vec<RunEvent>>,
) -> Answer<RunSnapshot> {
    workspace
        .api()?
        .run_subscribe(run, Arc::new(ChannelSink::new(on_events)))
}

#[tauri::command]
pub(crate) fn run_cancel(workspace: State<'_, Workspace>, run: &str) -> Answer<()> {
    workspace.api()?.run_cancel(run)
}

#[tauri::command(async)]
pub(crate) fn runs_list(workspace: State<'_, Workspace>) -> Answer<Vec<RunSummary>> {
    workspace.api()?.runs_list()
}

#[tauri::command]
pub(crate) async fn run_evaluate(
    workspace: State<'_, Workspace>,
    request: EvaluateRequest,
) -> Answer<ReportView> {
    workspace.api()?.run_evaluate(request).await
}

#[tauri::command(async)]
pub(crate) fn report_show(workspace: State<'_, Workspace>, run: &str) -> Answer<Option<ReportView>> {
    workspace.api()?.report_show(run)
}
