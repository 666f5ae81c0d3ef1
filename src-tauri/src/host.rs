//! What only a desktop can do: dialogs for files, notifications, opening things outside, and one window for one user.
//!
//! Every plugin is called from here, in Rust, so the page gets no permission for any of them: it can ask the user to
//! choose a file, and cannot read one.

use koab_api::{ErrorCode, WireError};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use tauri::ipc::{InvokeBody, Request};
use tauri::{AppHandle, Manager as _, Runtime, State};
use tauri_plugin_dialog::{DialogExt as _, FilePath};
use tauri_plugin_notification::NotificationExt as _;
use tauri_plugin_opener::OpenerExt as _;
use tokio::sync::oneshot;

use crate::commands::Workspace;

type Answer<T> = Result<T, WireError>;

/// What the user may choose.
#[derive(Deserialize)]
pub(crate) struct Pick {
    title: String,
    #[serde(default)]
    extensions: Vec<String>,
    #[serde(default)]
    folders: bool,
}

/// Lets the user choose files or folders; none when the dialog was closed.
#[tauri::command]
pub(crate) async fn host_pick<R: Runtime>(app: AppHandle<R>, options: Pick) -> Answer<Vec<PathBuf>> {
    let (chosen, answer) = oneshot::channel();
    let mut dialog = app.dialog().file().set_title(options.title);
    if !options.extensions.is_empty() {
        let endings: Vec<&str> = options.extensions.iter().map(String::as_str).collect();
        dialog = dialog.add_filter(endings.join(", "), &endings);
    }
    let tell = move |paths: Option<Vec<FilePath>>| {
        // Nobody listens any more when the window is gone.
        let _ = chosen.send(paths.unwrap_or_default());
    };
    if options.folders {
        dialog.pick_folders(tell);
    } else {
        dialog.pick_files(tell);
    }
    let paths = answer.await.unwrap_or_default();
    Ok(paths
        .into_iter()
        .filter_map(|path| path.into_path().ok())
        .collect())
}

/// Writes the request's raw body to a file of the user's choice; `None` when the dialog was closed. The suggested name
/// comes percent-encoded in the header `x-name`.
#[tauri::command]
pub(crate) async fn host_save<R: Runtime>(
    app: AppHandle<R>,
    request: Request<'_>,
) -> Answer<Option<PathBuf>> {
    let InvokeBody::Raw(content) = request.body() else {
        return Err(WireError::bad_request("the file's content must come as bytes"));
    };
    let header = request
        .headers()
        .get("x-name")
        .and_then(|name| name.to_str().ok());
    let name = file_name(header.unwrap_or_default());
    let (chosen, answer) = oneshot::channel();
    let mut dialog = app.dialog().file().set_file_name(&name);
    if let Some(ending) = Path::new(&name).extension().and_then(|ending| ending.to_str()) {
        dialog = dialog.add_filter(ending, &[ending]);
    }
    dialog.save_file(move |path| {
        let _ = chosen.send(path);
    });
    let Some(path) = answer.await.ok().flatten().and_then(|path| path.into_path().ok()) else {
        return Ok(None);
    };
    tokio::fs::write(&path, content)
        .await
        .map_err(|error| WireError::storage(format!("{} cannot be written: {error}", path.display())))?;
    Ok(Some(path))
}

/// Shows a system notification. Where the system shows none, nothing is lost: the window says the same.
#[tauri::command]
pub(crate) fn host_notify<R: Runtime>(app: AppHandle<R>, title: String, body: String) {
    let _ = app.notification().builder().title(title).body(body).show();
}

/// Opens a folder or file of the workspace, or a web page, with the system's program for it.
#[tauri::command]
pub(crate) fn host_open<R: Runtime>(
    app: AppHandle<R>,
    workspace: State<'_, Workspace>,
    target: &str,
) -> Answer<()> {
    let opened = if target.starts_with("https://") {
        // Written down, and refused while koab is offline.
        workspace.api()?.link_opening(target)?;
        app.opener().open_url(target, None::<&str>)
    } else {
        let path = inside(workspace.api()?.home().path(), Path::new(target))?;
        app.opener().open_path(path.display().to_string(), None::<&str>)
    };
    opened.map_err(|error| {
        WireError::new(
            ErrorCode::NotFound,
            format!("the system has no program that opens {target}: {error}"),
        )
    })
}

/// Brings the one window to the front, for a user who has started the program a second time.
pub(crate) fn to_front<R: Runtime>(app: &AppHandle<R>) {
    if let Some(window) = app.get_webview_window("main") {
        let _ = window.unminimize();
        let _ = window.set_focus();
    }
}

/// The path, when it lies in the workspace: the page must not make the system open just anything.
fn inside(home: &Path, path: &Path) -> Answer<PathBuf> {
    let missing = |path: &Path, error: &std::io::Error| {
        WireError::not_found(format!("{} cannot be opened: {error}", path.display()))
    };
    let real = path.canonicalize().map_err(|error| missing(path, &error))?;
    let home = home.canonicalize().map_err(|error| missing(home, &error))?;
    if real.starts_with(&home) {
        return Ok(real);
    }
    Err(WireError::bad_request(format!(
        "{} lies outside the workspace and is not opened from here",
        path.display()
    )))
}

/// A suggested file name: decoded, and without anything that would make it a path.
fn file_name(header: &str) -> String {
    let decoded = percent_encoding::percent_decode_str(header).decode_utf8_lossy();
    let name: String = decoded
        .chars()
        .map(|c| {
            if c.is_control() || "/\\:*?\"<>|".contains(c) {
                '_'
            } else {
                c
            }
        })
        .collect();
    let name = name.trim_start_matches('.').trim();
    if name.is_empty() {
        "export".to_owned()
    } else {
        name.to_owned()
    }
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
            assert!(
                inside(&home, &home.join("link")).is_err(),
                "a link out of the workspace"
            );
        }
    }
}
