//! Functions that only a desktop has: file dialogs, notifications, and opening files and links
//! outside.
//!
//! Every plugin is called from Rust, so the page needs no permission for a plugin. The page can ask
//! the user to choose a file but cannot read one.

use koab_api::{WindowFault, WireError};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use tauri::ipc::{InvokeBody, Request};
use tauri::window::{ProgressBarState, ProgressBarStatus};
use tauri::{AppHandle, Manager as _, Runtime, State, Window};
use tauri_plugin_dialog::{DialogExt as _, FilePath};
use tauri_plugin_notification::NotificationExt as _;
use tauri_plugin_opener::OpenerExt as _;
use tokio::sync::oneshot;

use crate::commands::Workspace;

type Answer<T> = Result<T, WireError>;

/// Options of a file dialog.
#[derive(Deserialize)]
pub(crate) struct Pick {
    title: String,
    #[serde(default)]
    extensions: Vec<String>,
    #[serde(default)]
    folders: bool,
}

/// Lets the user choose files or folders. Returns an empty list when the dialog is closed.
#[tauri::command]
pub(crate) async fn host_pick<R: Runtime>(app: AppHandle<R>, options: Pick) -> Answer<Vec<PathBuf>> {
    let (chosen, answer) = oneshot::channel();
    let mut dialog = app.dialog().file().set_title(options.title);
    if !options.extensions.is_empty() {
        let endings: Vec<&str> = options.extensions.iter().map(String::as_str).collect();
        dialog = dialog.add_filter(endings.join(", "), &endings);
    }
    let send = move |paths: Option<Vec<FilePath>>| {
        // The receiver is gone when the window is closed.
        let _ = chosen.send(paths.unwrap_or_default());
    };
    if options.folders {
        dialog.pick_folders(send);
    } else {
        dialog.pick_files(send);
    }
    let paths = answer.await.unwrap_or_default();
    Ok(paths.into_iter().filter_map(|path| path.into_path().ok()).collect())
}

/// Writes the request's raw body to a file that the user chooses, and returns the written paths.
/// Returns an empty list when the dialog is closed.
///
/// The suggested name is percent-encoded in the header `x-name`. Companion files follow in the body
/// and are listed in `x-beside`. They are written next to the chosen file and named after it, so
/// that one dialog is enough.
#[tauri::command]
pub(crate) async fn host_save<R: Runtime>(app: AppHandle<R>, request: Request<'_>) -> Answer<Vec<PathBuf>> {
    let InvokeBody::Raw(content) = request.body() else {
        return Err(WireError::internal("the file's content must come as bytes"));
    };
    let header = |name: &str| request.headers().get(name).and_then(|text| text.to_str().ok());
    let name = file_name(header("x-name").unwrap_or_default());
    let (content, beside) = parts(content, header("x-beside").unwrap_or_default())?;
    let (chosen, answer) = oneshot::channel();
    let mut dialog = app.dialog().file().set_file_name(&name);
    if let Some(ending) = Path::new(&name).extension().and_then(|ending| ending.to_str()) {
        dialog = dialog.add_filter(ending, &[ending]);
    }
    dialog.save_file(move |path| {
        let _ = chosen.send(path);
    });
    let Some(path) = answer.await.ok().flatten().and_then(|path| path.into_path().ok()) else {
        return Ok(Vec::new());
    };
    let mut paths = Vec::new();
    for (path, content) in std::iter::once((path.clone(), content)).chain(
        beside.into_iter().map(|(proposed, content)| (companion_path(&path, &name, &proposed), content)),
    ) {
        tokio::fs::write(&path, content).await.map_err(|error| WireError::unwritable(&path, error))?;
        paths.push(path);
    }
    Ok(paths)
}

/// Companion files of a main file, each with its name and content.
type Companions<'a> = Vec<(String, &'a [u8])>;

/// Splits a body into the content of the main file and the companion files with their proposed
/// names.
///
/// `x-beside` is `name:bytes,name:bytes…` with percent-encoded names. The companions' contents are
/// at the end of the body.
fn parts<'a>(body: &'a [u8], header: &str) -> Answer<(&'a [u8], Companions<'a>)> {
    let wrong = || WireError::internal("the files that go with this one do not fit its content");
    let mut lengths = Vec::new();
    for part in header.split(',').filter(|part| !part.is_empty()) {
        let (name, bytes) = part.split_once(':').ok_or_else(wrong)?;
        lengths.push((file_name(name), bytes.parse::<usize>().map_err(|_| wrong())?));
    }
    let mut rest = body;
    let mut beside = Vec::new();
    for (name, bytes) in lengths.into_iter().rev() {
        let at = rest.len().checked_sub(bytes).ok_or_else(wrong)?;
        let (before, own) = rest.split_at(at);
        beside.insert(0, (name, own));
        rest = before;
    }
    Ok((rest, beside))
}

/// Returns the path of a companion file after the user has renamed the main file.
///
/// For the proposed names `report.csv` and `report.comparability.csv` and the chosen name
/// `mine.csv`, the path is `mine.comparability.csv`.
fn companion_path(chosen: &Path, proposed: &str, companion: &str) -> PathBuf {
    let stem = proposed.rsplit_once('.').map_or(proposed, |(stem, _)| stem);
    match companion.strip_prefix(stem).filter(|rest| rest.starts_with('.')) {
        Some(rest) => chosen.with_extension(rest.trim_start_matches('.')),
        None => chosen.with_file_name(companion),
    }
}

/// Shows a system notification. Errors are ignored, because the window shows the same text.
#[tauri::command]
pub(crate) fn host_notify<R: Runtime>(app: AppHandle<R>, title: String, body: String) {
    let _ = app.notification().builder().title(title).body(body).show();
}

/// Shows the progress in percent in the taskbar or dock. `None` removes the progress bar.
#[tauri::command]
pub(crate) fn host_progress<R: Runtime>(window: Window<R>, percent: Option<u64>) {
    let status = match percent {
        Some(_) => ProgressBarStatus::Normal,
        None => ProgressBarStatus::None,
    };
    // Some desktops cannot show it.
    let _ = window.set_progress_bar(ProgressBarState {
        status: Some(status),
        progress: percent.map(|percent| percent.min(100)),
    });
}

/// Opens a folder or file of the workspace, or a web page, with the system's program for it.
#[tauri::command]
pub(crate) fn host_open<R: Runtime>(
    app: AppHandle<R>,
    workspace: State<'_, Workspace>,
    target: &str,
) -> Answer<()> {
    let opened = if target.starts_with("https://") {
        // The request is logged, and refused while koab is offline.
        workspace.api()?.workspace.link_opening(target)?;
        app.opener().open_url(target, None::<&str>)
    } else {
        let path = inside(workspace.api()?.workspace.home().path(), Path::new(target))?;
        app.opener().open_path(path.display().to_string(), None::<&str>)
    };
    opened.map_err(|error| {
        WireError::not_found(WindowFault::NoProgram { target: target.to_owned(), error: error.to_string() })
    })
}

/// Brings the window to the front after the user has started the program again for the same
/// workspace.
pub(crate) fn to_front<R: Runtime>(app: &AppHandle<R>) {
    if let Some(window) = app.get_webview_window("main") {
        let _ = window.unminimize();
        let _ = window.set_focus();
    }
}

/// Canonical path of a file inside the workspace. Other paths are an error, because the page must
/// not open arbitrary files.
fn inside(home: &Path, path: &Path) -> Answer<PathBuf> {
    let real = path.canonicalize().map_err(|error| WireError::unreadable(path, error))?;
    let home = home.canonicalize().map_err(|error| WireError::unreadable(home, error))?;
    if real.starts_with(&home) {
        return Ok(real);
    }
    Err(WireError::bad_request(WindowFault::Outside(path.to_owned())))
}

/// Suggested file name: decoded, with characters replaced that could make it a path.
fn file_name(header: &str) -> String {
    let decoded = percent_encoding::percent_decode_str(header).decode_utf8_lossy();
    let name: String =
        decoded.chars().map(|c| if c.is_control() || "/\\:*?\"<>|".contains(c) { '_' } else { c }).collect();
    let name = name.trim_start_matches('.').trim();
    if name.is_empty() { "export".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suggested_name_is_a_name_and_no_path() {
        for (header, name) in [
            ("report.html", "report.html"),
            ("%EB%B3%B4%EA%B3%A0%EC%84%9C.csv", "보고서.csv"),
            ("..%2F..%2Fetc%2Fpasswd", "_.._etc_passwd"),
            ("azure%2Fgpt-4o.json", "azure_gpt-4o.json"),
            ("", "export"),
            ("%2E%2E", "export"),
        ] {
            assert_eq!(file_name(header), name, "{header}");
        }
    }

    #[test]
    fn files_that_go_with_one_lie_beside_it_under_its_name() {
        let body = b"tablenotesmore";
        let (content, beside) = parts(body, "r.comparability.csv:5,%EA%B0%80.csv:4").unwrap();
        assert_eq!(content, b"table");
        assert_eq!(
            beside,
            [("r.comparability.csv".to_owned(), &b"notes"[..]), ("가.csv".to_owned(), &b"more"[..])]
        );
        assert_eq!(parts(body, "").unwrap().0, body);
        for header in ["r.csv", "r.csv:x", "r.csv:99"] {
            assert!(parts(body, header).is_err(), "{header}");
        }
        let chosen = Path::new("/home/me/mine.csv");
        for (beside, path) in [
            ("m_1.5.comparability.csv", "/home/me/mine.comparability.csv"),
            ("other.csv", "/home/me/other.csv"),
        ] {
            assert_eq!(companion_path(chosen, "m_1.5.csv", beside), Path::new(path));
        }
    }

    #[test]
    fn only_what_lies_in_the_workspace_is_opened() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        std::fs::create_dir_all(home.join("logs")).unwrap();
        std::fs::write(folder.path().join("secret"), "").unwrap();
        assert!(inside(&home, &home.join("logs")).is_ok());
        for path in ["../secret", "nothing"] {
            assert!(inside(&home, &home.join(path)).is_err(), "{path}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(folder.path().join("secret"), home.join("link")).unwrap();
            assert!(inside(&home, &home.join("link")).is_err(), "a link out of the workspace");
        }
    }
}
