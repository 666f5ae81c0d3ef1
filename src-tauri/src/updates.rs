//! Updates, in builds that name a server and a key for them (`plugins.updater`). Other builds make
//! no requests and report that they have no updates.
//!
//! The program asks the server only after the user has agreed, and automatically at most once a
//! day. It installs a package only when the user requests it. The plugin sends requests itself.
//! This module therefore asks the egress gate before each request: the gate logs the request, and
//! refuses it if koab is offline (`docs/design/egress.md`).

use crate::commands::Workspace;
use koab_api::{ErrorCode, ProxyMode, WindowFault, WireError};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tauri::{App, AppHandle, Manager as _, Runtime, State, Url};
use tauri_plugin_updater::{Config, Update, Updater, UpdaterExt as _};

/// Name of the file with the user's choice, for all workspaces of the user.
const FILE_NAME: &str = "updates.json";

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// Time that the server may take to answer.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// Maximum number of redirects of a request.
const MAX_REDIRECTS: usize = 5;

type Answer<T> = Result<T, WireError>;

/// The user's choice, and the time of the server's last answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Choice {
    /// Whether the server may be asked. `None` until the user has chosen.
    wanted: Option<bool>,
    /// Time of the server's last answer, in milliseconds since 1970.
    asked_ms: Option<u64>,
}

/// State of updates for the window.
#[derive(Serialize)]
pub(crate) struct UpdatesView {
    /// Hosts that are asked for updates.
    hosts: Vec<String>,
    /// Whether the server may be asked. `null` until the user has chosen.
    wanted: Option<bool>,
    /// Time of the server's last answer, in milliseconds since 1970.
    asked_ms: Option<u64>,
    /// Newer version that can be installed.
    found: Option<String>,
    /// Version that is installed and runs after the next start.
    installed: Option<String>,
}

/// Updates of this build.
pub(crate) struct Updates {
    endpoints: Vec<Url>,
    file: PathBuf,
    state: Mutex<Versions>,
}

#[derive(Default)]
struct Versions {
    found: Option<Update>,
    installed: Option<String>,
}

/// Sets up updates, if this build has any.
pub(crate) fn set_up<R: Runtime>(app: &App<R>) -> tauri::Result<()> {
    let Some(config) = app.config().plugins.0.get("updater") else {
        return Ok(());
    };
    let endpoints = serde_json::from_value::<Config>(config.clone())?.endpoints;
    app.handle().plugin(tauri_plugin_updater::Builder::new().build())?;
    app.manage(Updates {
        endpoints,
        file: app.path().app_config_dir()?.join(FILE_NAME),
        state: Mutex::default(),
    });
    Ok(())
}

/// State of updates; `null` in a build without updates.
#[tauri::command]
pub(crate) fn host_updates<R: Runtime>(app: AppHandle<R>) -> Option<UpdatesView> {
    app.try_state::<Updates>().map(|updates| updates.view())
}

/// Saves the user's choice. After a refusal, the program asks neither the user nor the server
/// again.
#[tauri::command]
pub(crate) fn host_updates_want<R: Runtime>(app: AppHandle<R>, wanted: bool) -> Answer<UpdatesView> {
    let updates = updates(&app)?;
    let choice = Choice { wanted: Some(wanted), ..updates.choice() };
    updates.keep(choice)?;
    if !wanted {
        updates.versions().found = None;
    }
    Ok(updates.view())
}

/// Asks the server for a newer version. Without `now`, only if the user has agreed and the last
/// answer is a day old.
#[tauri::command]
pub(crate) async fn host_updates_look<R: Runtime>(
    app: AppHandle<R>,
    workspace: State<'_, Workspace>,
    now: bool,
) -> Answer<UpdatesView> {
    let updates = updates(&app)?;
    if now || updates.choice().is_due(now_ms()) {
        let update = look(&app, &workspace, &updates.endpoints).await?;
        updates.keep(Choice { asked_ms: Some(now_ms()), ..updates.choice() })?;
        updates.versions().found = update;
    }
    Ok(updates.view())
}

/// Downloads and installs the newer version, which runs after the next start. On Windows the
/// installer ends this program.
#[tauri::command]
pub(crate) async fn host_updates_install<R: Runtime>(
    app: AppHandle<R>,
    workspace: State<'_, Workspace>,
) -> Answer<UpdatesView> {
    let updates = updates(&app)?;
    let Some(update) = updates.versions().found.clone() else {
        return Err(WireError::not_found(WindowFault::NothingNewer));
    };
    let leave = workspace.api()?.workspace.update_asking(update.download_url.as_str())?;
    let package = leave.while_online(update.download(|_, _| (), || ())).await?.map_err(failed)?;
    let version = update.version.clone();
    tokio::task::spawn_blocking(move || update.install(package)).await.map_err(failed)?.map_err(failed)?;
    *updates.versions() = Versions { found: None, installed: Some(version) };
    Ok(updates.view())
}

/// Returns the newest version, from the first server that answers.
async fn look<R: Runtime>(
    app: &AppHandle<R>,
    workspace: &Workspace,
    endpoints: &[Url],
) -> Answer<Option<Update>> {
    let mut last = WireError::not_found(WindowFault::NoUpdateServer);
    for endpoint in endpoints {
        let leave = workspace.api()?.workspace.update_asking(endpoint.as_str())?;
        let updater = updater(app, workspace, endpoint)?;
        match leave.while_online(updater.check()).await? {
            Ok(update) => return Ok(update),
            Err(error) => last = failed(error),
        }
    }
    Err(last)
}

/// Returns the updater for one server. It uses the user's proxy. Each redirect passes the egress
/// gate, like any other request to another computer.
fn updater<R: Runtime>(app: &AppHandle<R>, workspace: &Workspace, endpoint: &Url) -> Answer<Updater> {
    let workspace = workspace.api()?.workspace.clone();
    let settings = workspace.settings()?;
    let mut builder =
        app.updater_builder().timeout(REQUEST_TIMEOUT).endpoints(vec![endpoint.clone()]).map_err(failed)?;
    builder = match settings.proxy {
        ProxyMode::System => builder,
        ProxyMode::Direct => builder.no_proxy(),
        ProxyMode::Address => builder.proxy(Url::parse(&settings.proxy_address).map_err(failed)?),
    };
    builder
        .configure_client(move |client| {
            let workspace = workspace.clone();
            client.redirect(reqwest::redirect::Policy::custom(move |attempt| {
                if attempt.previous().len() > MAX_REDIRECTS {
                    return attempt.error("it leads in circles");
                }
                match workspace.update_asking(attempt.url().as_str()) {
                    Ok(_) => attempt.follow(),
                    Err(error) => attempt.error(error),
                }
            }))
        })
        .build()
        .map_err(failed)
}

impl Updates {
    fn view(&self) -> UpdatesView {
        let Choice { wanted, asked_ms } = self.choice();
        let versions = self.versions();
        UpdatesView {
            hosts: self
                .endpoints
                .iter()
                .filter_map(|endpoint| endpoint.host_str().map(str::to_owned))
                .collect(),
            wanted,
            asked_ms,
            found: versions.found.as_ref().map(|update| update.version.clone()),
            installed: versions.installed.clone(),
        }
    }

    fn choice(&self) -> Choice {
        Choice::read(&self.file)
    }

    fn keep(&self, choice: Choice) -> Answer<()> {
        choice.write(&self.file).map_err(|error| WireError::unwritable(&self.file, error))
    }

    fn versions(&self) -> MutexGuard<'_, Versions> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Choice {
    fn read(file: &Path) -> Self {
        let text = fs::read(file).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    fn write(self, file: &Path) -> std::io::Result<()> {
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(file, serde_json::to_vec(&self)?)
    }

    /// Whether the server should be asked automatically. A clock that was set back does not delay
    /// the next question.
    fn is_due(self, now_ms: u64) -> bool {
        let since = |asked: u64| now_ms.checked_sub(asked);
        self.wanted == Some(true) && self.asked_ms.and_then(since).is_none_or(|elapsed| elapsed >= DAY_MS)
    }
}

fn updates<R: Runtime>(app: &AppHandle<R>) -> Answer<State<'_, Updates>> {
    app.try_state::<Updates>().ok_or_else(|| WireError::not_found(WindowFault::NoUpdates))
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Converts an error of the plugin to the error that the window shows.
fn failed(error: impl std::fmt::Display) -> WireError {
    WireError::new(ErrorCode::ModelUnreachable, WindowFault::UpdateFailed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tauri_plugin_updater::RemoteRelease;

    #[test]
    fn nobody_is_asked_before_the_user_says_so_and_once_a_day_then() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config/updates.json");
        let mut kept = Choice::read(&file);
        assert_eq!(kept, Choice::default());
        assert!(!kept.is_due(DAY_MS), "nobody has said yes");
        kept.wanted = Some(true);
        assert!(kept.is_due(DAY_MS), "never asked so far");
        kept.asked_ms = Some(DAY_MS);
        kept.write(&file).unwrap();
        let kept = Choice::read(&file);
        assert!(!kept.is_due(2 * DAY_MS - 1));
        assert!(kept.is_due(2 * DAY_MS));
        assert!(kept.is_due(1), "the clock was set back");
        let never = Choice { wanted: Some(false), ..kept };
        assert!(!never.is_due(9 * DAY_MS));
    }

    #[test]
    fn the_manifest_of_a_release_is_what_the_updater_reads() {
        let manifest = include_str!("../../xtask/src/manifest/latest.json");
        let release: RemoteRelease = serde_json::from_str(manifest).unwrap();
        assert_eq!(release.version.to_string(), "1.2.3");
        for target in [
            "linux-x86_64-deb",
            "linux-aarch64-rpm",
            "linux-x86_64-appimage",
            "windows-x86_64-msi",
            "windows-x86_64-nsis",
        ] {
            let url = release.download_url(target).unwrap();
            assert_eq!((url.scheme(), url.host_str()), ("https", Some("downloads.example")), "{target}");
            assert!(!release.signature(target).unwrap().is_empty(), "{target}");
        }
    }
}
