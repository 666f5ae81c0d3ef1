//! Where a workspace lies and what lies in it (`design/cli.md`, "Workspace").

use crate::wire::WireError;
use std::path::{Path, PathBuf};

/// The folder of a workspace and its parts. Nothing here touches the disk except [`Home::create`].
#[derive(Clone, Debug)]
pub struct Home(PathBuf);

impl Home {
    /// The folder asked for, else `KOAB_HOME`, else the system's folder for application data.
    ///
    /// # Errors
    /// When the system names no home folder.
    pub fn resolve(asked: Option<PathBuf>) -> Result<Self, WireError> {
        let from_environment = || {
            std::env::var_os("KOAB_HOME")
                .filter(|v| !v.is_empty())
                .map(PathBuf::from)
        };
        let from_system = || {
            directories::ProjectDirs::from("kr", "koab", "ko-agentbench")
                .map(|dirs| dirs.data_dir().to_owned())
        };
        let folder = asked
            .or_else(from_environment)
            .or_else(from_system)
            .ok_or_else(|| {
                WireError::bad_request("the system names no home folder; give one with --home or KOAB_HOME")
            })?;
        Ok(Self(std::path::absolute(&folder).unwrap_or(folder)))
    }

    /// Makes the folder when it is not there.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn create(&self) -> Result<(), WireError> {
        std::fs::create_dir_all(&self.0).map_err(|error| {
            WireError::storage(format!(
                "the workspace folder {} cannot be made: {error}; choose another with --home or KOAB_HOME",
                self.0.display()
            ))
        })
    }

    /// The workspace folder.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The database.
    pub fn database(&self) -> PathBuf {
        self.0.join("koab.sqlite")
    }

    /// The folder with the run logs, in the published layout.
    pub fn logs(&self) -> PathBuf {
        self.0.join("logs").join("benchmark_results")
    }

    /// The folder with deleted runs.
    pub fn trash(&self) -> PathBuf {
        self.0.join("trash").join("runs")
    }

    /// The folder with the reports.
    pub fn reports(&self) -> PathBuf {
        self.0.join("reports")
    }
}
