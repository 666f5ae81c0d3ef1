//! The folders of a library.

use std::path::{Path, PathBuf};

/// Library of the models that are stored on this computer.
#[derive(Clone, Debug)]
pub struct Library {
    /// Folder of the shared cache (see [`koab_hub::hub_folder`]).
    pub(super) hub: PathBuf,
    /// Folder of converted models in the workspace, which also contains the list of added paths.
    pub(super) models: PathBuf,
}

impl Library {
    /// Creates a library from the folders of the shared cache and of converted models. They need
    /// not exist.
    pub fn new(hub: PathBuf, models: PathBuf) -> Self {
        Self { hub, models }
    }

    /// Folder of the shared cache.
    pub fn hub(&self) -> &Path {
        &self.hub
    }

    /// Folder of converted models.
    pub fn models(&self) -> &Path {
        &self.models
    }
}
