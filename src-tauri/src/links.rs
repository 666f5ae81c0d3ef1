//! Links that open in the window: `koab://run/<id>`, from the system or from `koab open`. They are
//! stored until the page takes them. The page interprets them (`ui/src/app/links.ts`).

use crate::host::to_front;
use std::sync::{Mutex, PoisonError};
use tauri::{App, AppHandle, Emitter as _, Manager as _, Runtime, State};
use tauri_plugin_deep_link::DeepLinkExt as _;

/// Event that tells the page about new links.
const EVENT: &str = "links";

/// Links that the page has not taken yet, the oldest first.
#[derive(Default)]
pub(crate) struct Links(Mutex<Vec<String>>);

/// Starts to collect links, including those that the program was started with.
pub(crate) fn set_up<R: Runtime>(app: &App<R>, links: Vec<String>) {
    app.manage(Links::default());
    keep(app.handle(), links.into_iter());
    // If the system does not report it, only this link is lost.
    if let Ok(Some(urls)) = app.deep_link().get_current() {
        keep(app.handle(), urls.into_iter().map(String::from));
    }
    let handle = app.handle().clone();
    app.deep_link().on_open_url(move |event| {
        follow(&handle, event.urls().into_iter().map(String::from).collect());
    });
}

/// Adds links and brings the window to the front.
pub(crate) fn follow<R: Runtime>(app: &AppHandle<R>, links: Vec<String>) {
    keep(app, links.into_iter());
    to_front(app);
}

fn keep<R: Runtime>(app: &AppHandle<R>, urls: impl Iterator<Item = String>) {
    let links: State<'_, Links> = app.state();
    let mut pending = links.0.lock().unwrap_or_else(PoisonError::into_inner);
    for url in urls {
        // The plugin reports the first link twice: as the current one and as a new one.
        if !pending.contains(&url) {
            pending.push(url);
        }
    }
    drop(pending);
    let _ = app.emit(EVENT, ());
}

/// Returns the links that have arrived since the last call, and removes them from the list.
#[tauri::command]
pub(crate) fn host_links(links: State<'_, Links>) -> Vec<String> {
    std::mem::take(&mut links.0.lock().unwrap_or_else(PoisonError::into_inner))
}
