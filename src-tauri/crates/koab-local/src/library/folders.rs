//! The folders that a library is made of.

use std::path::{Path, PathBuf};

/// Models on this disk.
#[derive(Clone, Debug)]
pub struct Library {
    /// The shared cache (see [`koab_hub::hub_folder`]).
    pub(super) hub: PathBuf,
    /// The workspace's folder of converted models, which also holds the list of added paths.
    pub(super) models: PathBuf,
}

impl Library {
    /// The library over a cache and a folder of converted models. Neither has to be there.
    pub fn new(hub: PathBuf, models: PathBuf) -> Self {
        Self { hub, models }
    }

    /// The shared cache.
    pub fn hub(&self) -> &Path {
        &self.hub
    }

    /// The folder of converted models.
    pub fn models(&self) -> &Path {
        &self.models
    }
}
