//! Location of a workspace and of its parts (`docs/spec/cli.md`, "Workspace").

use crate::error::WireError;
use koab_core::say;
use koab_engine::files::if_there;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use ts_rs::TS;

/// File in the system's configuration folder that contains the path of the workspace, if the user
/// chose one.
const POINTER: &str = "workspace";

/// Folder of a workspace, and the paths in it. [`Home::resolve`] reads the user's choice of a
/// folder from the disk, and [`Home::create`] creates the folder; the other methods only build
/// paths.
#[derive(Clone, Debug)]
pub struct Home {
    folder: PathBuf,
    origin: HomeOrigin,
}

/// Reason for the workspace's location, in the order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum HomeOrigin {
    /// The caller gave the folder, as with `--home`.
    Asked,
    /// The environment variable `KOAB_HOME`.
    Environment,
    /// The user's permanent choice.
    Chosen,
    /// Default: the system's folder for application data.
    System,
}

/// Workspace that the user chose permanently, if any. A relative path in the file is ignored.
pub(crate) fn chosen() -> Option<PathBuf> {
    let text = std::fs::read_to_string(pointer()?).ok()?;
    let folder = PathBuf::from(text.trim());
    folder.is_absolute().then_some(folder)
}

fn pointer() -> Option<PathBuf> {
    beside_the_choice(POINTER)
}

/// Path of a file with this name in the configuration folder, which is outside every workspace. The
/// file with the user's choice of a workspace is in the same folder.
pub(crate) fn beside_the_choice(name: &str) -> Option<PathBuf> {
    Some(project()?.config_dir().join(name))
}

fn project() -> Option<directories::ProjectDirs> {
    if misplaced_home().is_some() {
        return None;
    }
    directories::ProjectDirs::from("kr", "koab", "ko-agentbench")
}

/// The value of `HOME` if it is not an absolute path. The system's folders would then depend on the
/// current directory.
fn misplaced_home() -> Option<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from)?;
    (cfg!(unix) && !home.is_absolute()).then_some(home)
}

fn system() -> Option<PathBuf> {
    Some(project()?.data_dir().to_owned())
}

/// Makes later starts use this folder, or the system's default for `None`. The folder is created
/// and must be writable. The current workspace is not moved.
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
    /// Determines the workspace: the folder in `asked`, otherwise `KOAB_HOME`, the user's permanent
    /// choice, or the system's folder for application data.
    ///
    /// # Errors
    /// When the system has no home folder.
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

    /// Creates the paths of a workspace in this folder, without reading the disk.
    pub(crate) fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), origin: HomeOrigin::Asked }
    }

    /// Creates the folder when it does not exist.
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

    /// Reason for the location.
    pub fn origin(&self) -> HomeOrigin {
        self.origin
    }

    /// Folder that the next start will use, if it differs.
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

    /// Path of the database.
    pub fn database(&self) -> PathBuf {
        self.folder.join("koab.sqlite")
    }

    /// Folder of the run logs, in the published layout.
    pub fn logs(&self) -> PathBuf {
        self.folder.join("logs").join("benchmark_results")
    }

    /// Folder of deleted runs, reports and forks.
    pub fn trash(&self) -> PathBuf {
        self.folder.join("trash")
    }

    /// Folder of forks, which are not runs.
    pub fn forks(&self) -> PathBuf {
        self.folder.join("forks")
    }

    /// File of the user's price table. It need not exist.
    pub fn prices(&self) -> PathBuf {
        self.folder.join("prices.json")
    }

    /// Folder of converted models, and of data about models elsewhere.
    pub fn models(&self) -> PathBuf {
        self.folder.join("models")
    }

    /// Folder of indexes of long journals. Missing ones are rebuilt.
    pub fn indexes(&self) -> PathBuf {
        self.folder.join("indexes")
    }

    /// Folder of reports.
    pub fn reports(&self) -> PathBuf {
        self.folder.join("reports")
    }
}
