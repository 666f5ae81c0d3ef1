//! Updates, in builds whose maker named a server and a key for them (`plugins.updater`). Every
//! other build has neither an address nor a question, and answers that there are none.
//!
//! The server is asked once the user has said yes, at most once a day by itself, and a package is
//! installed on a press only. The plugin sends by itself, so each of its requests crosses the gate
//! to other computers here (`docs/design/egress.md`).

use crate::commands::Workspace;
use koab_api::{ErrorCode, ProxyMode, WireError};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tauri::{App, AppHandle, Manager as _, Runtime, State, Url};
use tauri_plugin_updater::{Config, Update, Updater, UpdaterExt as _};

/// What is kept of them, of all workspaces of this user.
const KEPT: &str = "updates.json";

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// How long the server may take to say what there is.
const PATIENCE: Duration = Duration::from_secs(30);

/// From one address to the next, no oftener.
const MOST_REDIRECTS: usize = 5;

type Answer<T> = Result<T, WireError>;

/// What the user said, and when the server was last asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Choice {
    /// Whether the server may be asked; nothing until the user has said so.
    wanted: Option<bool>,
    /// When it last answered, in milliseconds since 1970.
    asked_ms: Option<u64>,
}

/// Updates, as the window shows them.
#[derive(Serialize)]
pub(crate) struct UpdatesView {
    /// Whom it asks.
    hosts: Vec<String>,
    /// Whether the server may be asked; `null` until the user has said so.
    wanted: Option<bool>,
    /// When it last answered, in milliseconds since 1970.
    asked_ms: Option<u64>,
    /// The version that can be installed.
    found: Option<String>,
    /// The version that the next start has.
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

/// Has updates known from now on, where this build has any.
pub(crate) fn set_up<R: Runtime>(app: &App<R>) -> tauri::Result<()> {
    let Some(config) = app.config().plugins.0.get("updater") else {
        return Ok(());
    };
    let endpoints = serde_json::from_value::<Config>(config.clone())?.endpoints;
    app.handle().plugin(tauri_plugin_updater::Builder::new().build())?;
    app.manage(Updates { endpoints, file: app.path().app_config_dir()?.join(KEPT), state: Mutex::default() });
    Ok(())
}

/// What is known of updates; `null` in a build that has none.
#[tauri::command]
pub(crate) fn host_updates<R: Runtime>(app: AppHandle<R>) -> Option<UpdatesView> {
    app.try_state::<Updates>().map(|updates| updates.view())
}

/// Keeps what the user said; who says no is asked no more, and neither is the server.
#[tauri::command]
pub(crate) fn host_updates_want<R: Runtime>(app: AppHandle<R>, wanted: bool) -> Answer<UpdatesView> {
    let updates = updates(&app)?;
    let kept = Choice { wanted: Some(wanted), ..updates.choice() };
    updates.keep(kept)?;
    if !wanted {
        updates.versions().found = None;
    }
    Ok(updates.view())
}

/// Asks whether there is a newer version: `now`, or only if the user wants it and the last answer
/// is a day old.
#[tauri::command]
pub(crate) async fn host_updates_look<R: Runtime>(
    app: AppHandle<R>,
    workspace: State<'_, Workspace>,
    now: bool,
) -> Answer<UpdatesView> {
    let updates = updates(&app)?;
    if now || updates.choice().is_due(now_ms()) {
        let found = look(&app, &workspace, &updates.endpoints).await?;
        updates.keep(Choice { asked_ms: Some(now_ms()), ..updates.choice() })?;
        updates.versions().found = found;
    }
    Ok(updates.view())
}

/// Fetches the version that was found and installs it; the next start has it. On Windows the
/// installer ends this program.
#[tauri::command]
pub(crate) async fn host_updates_install<R: Runtime>(
    app: AppHandle<R>,
    workspace: State<'_, Workspace>,
) -> Answer<UpdatesView> {
    let updates = updates(&app)?;
    let Some(update) = updates.versions().found.clone() else {
        return Err(WireError::not_found("no newer version has been found"));
    };
    let leave = workspace.api()?.workspace.update_asking(update.download_url.as_str())?;
    let package = leave.while_online(update.download(|_, _| (), || ())).await?.map_err(failed)?;
    let version = update.version.clone();
    tokio::task::spawn_blocking(move || update.install(package)).await.map_err(failed)?.map_err(failed)?;
    *updates.versions() = Versions { found: None, installed: Some(version) };
    Ok(updates.view())
}

/// The newest version, from the first server that says one.
async fn look<R: Runtime>(
    app: &AppHandle<R>,
    workspace: &Workspace,
    endpoints: &[Url],
) -> Answer<Option<Update>> {
    let mut last = WireError::not_found("this build names no server for updates");
    for endpoint in endpoints {
        let leave = workspace.api()?.workspace.update_asking(endpoint.as_str())?;
        let updater = updater(app, workspace, endpoint)?;
        match leave.while_online(updater.check()).await? {
            Ok(found) => return Ok(found),
            Err(error) => last = failed(error),
        }
    }
    Err(last)
}

/// What asks one server, through the user's proxy and not past the gate.
fn updater<R: Runtime>(app: &AppHandle<R>, workspace: &Workspace, endpoint: &Url) -> Answer<Updater> {
    let workspace = workspace.api()?.workspace.clone();
    let settings = workspace.settings()?;
    let mut builder =
        app.updater_builder().timeout(PATIENCE).endpoints(vec![endpoint.clone()]).map_err(failed)?;
    builder = match settings.proxy {
        ProxyMode::System => builder,
        ProxyMode::Direct => builder.no_proxy(),
        ProxyMode::Address => builder.proxy(Url::parse(&settings.proxy_address).map_err(failed)?),
    };
    builder
        .configure_client(move |client| {
            let workspace = workspace.clone();
            client.redirect(reqwest::redirect::Policy::custom(move |attempt| {
                if attempt.previous().len() > MOST_REDIRECTS {
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
        let known = self.versions();
        UpdatesView {
            hosts: self
                .endpoints
                .iter()
                .filter_map(|endpoint| endpoint.host_str().map(str::to_owned))
                .collect(),
            wanted,
            asked_ms,
            found: known.found.as_ref().map(|update| update.version.clone()),
            installed: known.installed.clone(),
        }
    }

    fn choice(&self) -> Choice {
        Choice::read(&self.file)
    }

    fn keep(&self, kept: Choice) -> Answer<()> {
        kept.write(&self.file).map_err(|error| {
            WireError::storage(format!("{} cannot be written: {error}", self.file.display()))
        })
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

    /// Whether the server is to be asked unasked. A clock that was set back asks anew.
    fn is_due(self, now_ms: u64) -> bool {
        let since = |asked: u64| now_ms.checked_sub(asked);
        self.wanted == Some(true) && self.asked_ms.and_then(since).is_none_or(|elapsed| elapsed >= DAY_MS)
    }
}

fn updates<R: Runtime>(app: &AppHandle<R>) -> Answer<State<'_, Updates>> {
    app.try_state::<Updates>().ok_or_else(|| WireError::not_found("this build has no updates"))
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// What the plugin says, with what it was about.
fn failed(error: impl std::fmt::Display) -> WireError {
    WireError::new(ErrorCode::ModelUnreachable, format!("the update did not work: {error}; try again later"))
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
