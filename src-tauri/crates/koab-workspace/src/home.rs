//! Where a workspace lies and what lies in it (`docs/spec/cli.md`, "Workspace").

use crate::error::WireError;
use koab_core::say;
use koab_engine::files::if_there;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use ts_rs::TS;

/// The file in the system's folder for configuration that names the workspace, when the user chose
/// one.
const POINTER: &str = "workspace";

/// The folder of a workspace and its parts. Nothing here touches the disk except [`Home::create`]
/// and the look at the pointer in [`Home::resolve`].
#[derive(Clone, Debug)]
pub struct Home {
    folder: PathBuf,
    origin: HomeOrigin,
}

/// Why the workspace lies where it does; what stands first goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum HomeOrigin {
    /// Asked for, as with `--home`.
    Asked,
    /// `KOAB_HOME` says so.
    Environment,
    /// The user chose it once for all.
    Chosen,
    /// The system's folder for application data.
    System,
}

/// The workspace that the user chose once for all, if he did. A pointer to a relative folder is
/// nobody's.
pub(crate) fn chosen() -> Option<PathBuf> {
    let text = std::fs::read_to_string(pointer()?).ok()?;
    let folder = PathBuf::from(text.trim());
    folder.is_absolute().then_some(folder)
}

fn pointer() -> Option<PathBuf> {
    beside_the_choice(POINTER)
}

/// A file of this name in the folder that also has the user's choice of the workspace: outside of
/// any workspace.
pub(crate) fn beside_the_choice(name: &str) -> Option<PathBuf> {
    Some(project()?.config_dir().join(name))
}

fn project() -> Option<directories::ProjectDirs> {
    if misplaced_home().is_some() {
        return None;
    }
    directories::ProjectDirs::from("kr", "koab", "ko-agentbench")
}

/// What `HOME` says where it is not a full path: the system's folders would lie wherever one
/// happens to stand.
fn misplaced_home() -> Option<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from)?;
    (cfg!(unix) && !home.is_absolute()).then_some(home)
}

fn system() -> Option<PathBuf> {
    Some(project()?.data_dir().to_owned())
}

/// Has later starts use this folder, or with `None` the system's again. The folder is made and must
/// be writable; what lies in the workspace of today is not moved.
pub(crate) fn choose(folder: Option<&Path>) -> Result<(), WireError> {
    let pointer = pointer().ok_or_else(no_home_folder)?;
    let Some(folder) = folder else {
        let removed = if_there(std::fs::remove_file(&pointer)).map(drop);
        return removed
            .map_err(|error| WireError::storage(say!("{} cannot be removed: {error}", pointer.display())));
    };
    if !folder.is_absolute() {
        return Err(WireError::bad_request(say!(
            "{} is not a full path; give one that begins at the root",
            folder.display()
        )));
    }
    let probe = folder.join(".koab-probe");
    std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&probe, b"koab")).map_err(|error| {
        WireError::storage(say!("{} cannot be written: {error}; choose another folder", folder.display()))
    })?;
    let _ = std::fs::remove_file(&probe);
    if let Some(parent) = pointer.parent() {
        std::fs::create_dir_all(parent).map_err(WireError::storage)?;
    }
    std::fs::write(&pointer, folder.display().to_string()).map_err(|error| {
        WireError::storage(say!("{} cannot be written: {error}; free the disk", pointer.display()))
    })
}

fn no_home_folder() -> WireError {
    if let Some(home) = misplaced_home() {
        return WireError::bad_request(say!(
            "HOME is `{}`, which is not a full path; set it to one, or give the workspace with --home or KOAB_HOME",
            home.display()
        ));
    }
    WireError::bad_request(say!("the system names no home folder; give one with --home or KOAB_HOME"))
}

impl Home {
    /// The folder asked for, else `KOAB_HOME`, else the one that the user chose once for all, else
    /// the system's folder for application data.
    ///
    /// # Errors
    /// When the system names no home folder.
    pub fn resolve(asked: Option<PathBuf>) -> Result<Self, WireError> {
        let from_environment = || std::env::var_os("KOAB_HOME").filter(|v| !v.is_empty()).map(PathBuf::from);
        let (folder, origin) = asked
            .map(|folder| (folder, HomeOrigin::Asked))
            .or_else(|| Some((from_environment()?, HomeOrigin::Environment)))
            .or_else(|| Some((chosen()?, HomeOrigin::Chosen)))
            .or_else(|| Some((system()?, HomeOrigin::System)))
            .ok_or_else(no_home_folder)?;
        Ok(Self { folder: std::path::absolute(&folder).unwrap_or(folder), origin })
    }

    /// A folder that is named outright.
    pub(crate) fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), origin: HomeOrigin::Asked }
    }

    /// Makes the folder when it is not there.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn create(&self) -> Result<(), WireError> {
        std::fs::create_dir_all(&self.folder).map_err(|error| {
            WireError::storage(say!(
                "the workspace folder {} cannot be made: {error}; choose another with --home or KOAB_HOME",
                self.folder.display()
            ))
        })
    }

    /// Why it lies there.
    pub fn origin(&self) -> HomeOrigin {
        self.origin
    }

    /// The folder that the next start of the same kind uses, where that is another one.
    pub fn next(&self) -> Option<PathBuf> {
        if matches!(self.origin, HomeOrigin::Asked | HomeOrigin::Environment) {
            return None;
        }
        chosen().or_else(system).filter(|next| *next != self.folder)
    }

    /// The workspace folder.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// The database.
    pub fn database(&self) -> PathBuf {
        self.folder.join("koab.sqlite")
    }

    /// The folder with the run logs, in the published layout.
    pub fn logs(&self) -> PathBuf {
        self.folder.join("logs").join("benchmark_results")
    }

    /// The folder with deleted runs.
    pub fn trash(&self) -> PathBuf {
        self.folder.join("trash").join("runs")
    }

    /// The folder with the forks, which are no runs.
    pub fn forks(&self) -> PathBuf {
        self.folder.join("forks")
    }

    /// The folder with deleted forks.
    pub fn trash_of_forks(&self) -> PathBuf {
        self.folder.join("trash").join("forks")
    }

    /// The user's price table; it need not exist.
    pub fn prices(&self) -> PathBuf {
        self.folder.join("prices.json")
    }

    /// The folder with converted models, and what is known of models elsewhere.
    pub fn models(&self) -> PathBuf {
        self.folder.join("models")
    }

    /// The folder with indexes of long journals, which are made again when they are gone.
    pub fn indexes(&self) -> PathBuf {
        self.folder.join("indexes")
    }

    /// The folder with the reports.
    pub fn reports(&self) -> PathBuf {
        self.folder.join("reports")
    }
}
