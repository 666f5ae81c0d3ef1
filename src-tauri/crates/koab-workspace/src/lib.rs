//! The workspace, which every area uses: its folders, database and settings, the offline switch,
//! the log of requests to other computers, and the jobs in progress.
//!
//! Workspaces of one process do not disturb each other: each has its own egress gate (which allows
//! or refuses requests to other computers), proxy and jobs.
//! [`WireError`] is the error of every command. This crate does not depend on any area.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

// The `commands!` macro refers to this crate by its name, so the name must also resolve here.
extern crate self as koab_workspace;

pub mod batches;
mod blocking;
pub mod clock;
pub mod commands;
pub mod connections;
pub mod egress;
mod error;
mod home;
pub mod jobs;
mod packs;
pub mod paths;
mod recent;
pub mod settings;
pub mod starter;
mod trash;
mod window_fault;
mod workspaces;

pub use blocking::blocking;
pub use error::{ErrorCode, WireError, if_found};
pub use home::{Home, HomeOrigin};
pub use jobs::{Job, JobKind};
pub use recent::Recent;
pub use settings::{Settings, SettingsView};
pub use trash::{TrashItem, TrashView};
pub use window_fault::WindowFault;
pub use workspaces::{RecentWorkspace, WorkspaceState};

use egress::{EgressCleared, EgressView};
use koab_engine::egress::Gate;
use koab_store::{EgressLog, Emptied, Store, TrashKind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

/// A workspace. A clone is cheap and shares everything.
#[derive(Clone)]
pub struct Workspace {
    inner: Arc<Inner>,
}

struct Inner {
    home: Home,
    gate: Gate,
    /// Log of requests to other computers, and the offline switch.
    egress: Arc<EgressLog>,
    /// Database, which is opened on first use because `koab models list` must work on a read-only
    /// disk.
    store: OnceLock<Store>,
    opening: Mutex<()>,
    jobs: Arc<jobs::Jobs>,
}

impl Workspace {
    /// Chooses the folder: `home`, otherwise as in [`Home::resolve`]. Nothing is written yet.
    ///
    /// # Errors
    /// When the system has no home folder.
    pub fn open(home: Option<PathBuf>) -> Result<Self, WireError> {
        let home = Home::resolve(home)?;
        let (gate, egress) = egress::gate_of(home.path());
        let inner = Inner {
            gate,
            egress,
            home,
            store: OnceLock::new(),
            opening: Mutex::new(()),
            jobs: Arc::default(),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Folder of the workspace, and the paths in it.
    pub fn home(&self) -> &Home {
        &self.inner.home
    }

    /// Database of the workspace. The starter pack is installed on first use.
    ///
    /// # Errors
    /// [`ErrorCode::NoWorkspace`] when the database cannot be opened.
    pub fn store(&self) -> Result<&Store, WireError> {
        if let Some(store) = self.inner.store.get() {
            return Ok(store);
        }
        let _one_at_a_time = self.inner.opening.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(store) = self.inner.store.get() {
            return Ok(store);
        }
        let store = self.open_store().map_err(|error| WireError { code: ErrorCode::NoWorkspace, ..error })?;
        Ok(self.inner.store.get_or_init(|| store))
    }

    fn open_store(&self) -> Result<Store, WireError> {
        self.home().create()?;
        let store = Store::open(&self.home().database())?;
        starter::install(&store)?;
        Ok(store)
    }
}

commands! { Workspace: workspace, sink;
    disk settings_get() -> SettingsView [reads Settings] = workspace.settings_get();
    disk settings_set(settings: Settings) -> SettingsView [writes Settings, Models, Keys] =
        workspace.settings_set(settings);
    disk offline_set(on: bool) -> SettingsView [writes Settings] = workspace.offline_set_in_view(on);
    disk egress_view(since: Option<String>, most: usize) -> EgressView [touches nothing] =
        workspace.egress_view(since.as_deref(), most);
    disk egress_clear() -> EgressCleared [touches nothing] = workspace.egress_clear();
    disk link_opening(address: String) -> () [touches nothing] = workspace.link_opening(&address);
    disk workspace_choose(folder: Option<String>) -> Option<String> [writes Settings] =
        workspace.workspace_choose(folder.as_deref());
    disk workspaces_list() -> Vec<RecentWorkspace> [touches nothing] = Ok(workspace.workspaces_list());
    disk workspace_forget(folder: String) -> Vec<RecentWorkspace> [touches nothing] =
        workspace.workspace_forget(&folder);
    disk trash_list() -> TrashView [reads Runs, Reports, Forks, Packs] = workspace.trash_list();
    disk trash_restore(kind: TrashKind, key: String) -> String [writes Runs, Reports, Forks, Packs, Snapshots] =
        workspace.trash_restore(kind, &key);
    disk trash_delete(kind: TrashKind, key: String) -> () [writes Runs, Reports, Forks, Packs] =
        workspace.trash_delete(kind, &key);
    disk trash_empty() -> Emptied [writes Runs, Reports, Forks, Packs] = workspace.trash_empty();
    stream jobs_subscribe() -> Vec<Job> [touches nothing] = workspace.jobs_subscribe(&*sink);
    quick job_cancel(id: String) -> () [touches nothing] = workspace.job_cancel(&id);
}
