//! Links that lead into the window: `koab://run/<id>`, from the system or from `koab open`. What a
//! link means, the page knows (`ui/src/app/links.ts`); here they are only kept until it asks.

use crate::host::to_front;
use std::sync::{Mutex, PoisonError};
use tauri::{App, AppHandle, Emitter as _, Manager as _, Runtime, State};
use tauri_plugin_deep_link::DeepLinkExt as _;

/// What tells the page that links have come.
const EVENT: &str = "links";

/// Links that the page has not taken yet, the oldest first.
#[derive(Default)]
pub(crate) struct Links(Mutex<Vec<String>>);

/// Hears of links from now on, and of those that the program was started with.
pub(crate) fn set_up<R: Runtime>(app: &App<R>, asked: Vec<String>) {
    app.manage(Links::default());
    keep(app.handle(), asked.into_iter());
    // Where the system does not tell, nothing is lost but the link.
    if let Ok(Some(urls)) = app.deep_link().get_current() {
        keep(app.handle(), urls.into_iter().map(String::from));
    }
    let handle = app.handle().clone();
    app.deep_link().on_open_url(move |event| {
        follow(&handle, event.urls().into_iter().map(String::from).collect());
    });
}

/// Brings the window to the front, with these links.
pub(crate) fn follow<R: Runtime>(app: &AppHandle<R>, links: Vec<String>) {
    keep(app, links.into_iter());
    to_front(app);
}

fn keep<R: Runtime>(app: &AppHandle<R>, urls: impl Iterator<Item = String>) {
    let links: State<'_, Links> = app.state();
    let mut kept = links.0.lock().unwrap_or_else(PoisonError::into_inner);
    for url in urls {
        // The plugin tells of the first one twice, as the one it was started with and as news.
        if !kept.contains(&url) {
            kept.push(url);
        }
    }
    drop(kept);
    let _ = app.emit(EVENT, ());
}

/// The links that have come since the last call.
#[tauri::command]
pub(crate) fn host_links(links: State<'_, Links>) -> Vec<String> {
    std::mem::take(&mut links.0.lock().unwrap_or_else(PoisonError::into_inner))
}
