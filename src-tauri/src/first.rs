//! What the page asks at its start, asked before there is a page: the answers come while the window system starts, which takes
//! longer, and not while the page's script is read, with which they would share the processor.

use koab_api::{Api, Nobody, WireError};
use serde_json::json;
use std::sync::{Arc, Mutex, PoisonError};
use tauri::async_runtime::JoinHandle;
use tauri::ipc::Response;
use tauri::plugin::{Builder, TauriPlugin};
use tauri::{Runtime, State};

use crate::commands::Workspace;

/// The commands, none of which has an argument. A test of the page compares them with what it asks.
const COMMANDS: &str = include_str!("first.json");

/// Runs before anything of the page. A page that takes no answer asks again itself, so a failure is heard by nobody.
const SCRIPT: &str = "
    window.firstAnswers = window.__TAURI_INTERNALS__.invoke('host_first');
    window.firstAnswers.catch(() => {});
";

/// The answers for the first page that is loaded; a later one has its own.
pub(crate) struct FirstAnswers(Mutex<Option<JoinHandle<String>>>);

impl FirstAnswers {
    /// Asks now, where there is a workspace.
    pub(crate) fn ask(api: Option<Api>) -> Self {
        Self(Mutex::new(
            api.map(|api| tauri::async_runtime::spawn(answers(api))),
        ))
    }
}

/// Has each page that is loaded ask.
pub(crate) fn plugin<R: Runtime>() -> TauriPlugin<R> {
    Builder::new("first").js_init_script(SCRIPT).build()
}

#[tauri::command]
pub(crate) async fn host_first(
    workspace: State<'_, Workspace>,
    first: State<'_, FirstAnswers>,
) -> Result<Response, WireError> {
    let api = workspace.api()?.clone();
    let asked = first.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    let answered = match asked {
        Some(asked) => asked.await.ok(),
        None => None,
    };
    Ok(Response::new(match answered {
        Some(answered) => answered,
        None => answers(api).await,
    }))
}

/// An object of each command's answer; a command that failed is not in it.
async fn answers(api: Api) -> String {
    let names: Vec<String> = serde_json::from_str(COMMANDS).unwrap_or_default();
    let asked = names.into_iter().map(|name| {
        let api = api.clone();
        tauri::async_runtime::spawn(async move {
            let answer = api.call(&name, json!({}), Arc::new(Nobody)).await;
            answer.map(|answer| format!("{}:{answer}", json!(name)))
        })
    });
    let mut answers = Vec::new();
    for answer in asked.collect::<Vec<_>>() {
        answers.extend(answer.await.ok().and_then(Result::ok));
    }
    format!("{{{}}}", answers.join(","))
}
