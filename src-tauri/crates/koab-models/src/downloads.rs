//! Downloads from a Hugging Face hub: the hub with its token, and downloads into the cache shared
//! with Hugging Face's tools.
//!
//! `koab-providers` implements the hub's protocol and `koab-hub` the layout of the cache; this
//! module combines them. `weights` and `koab-packs` choose the files of a model or a pack.

mod access;
mod fetching;
pub mod space;

#[cfg(feature = "local")]
pub(crate) use access::wire_error;
pub use access::{HubAccess, named};
pub use fetching::Files;

use crate::Models;
use koab_core::say;
#[cfg(feature = "local")]
use koab_local::library::Library;
use koab_workspace::WireError;
use std::path::PathBuf;

impl Models {
    /// Folder of the shared cache. As for Python's tools, `HF_HUB_CACHE` and `HF_HOME` determine
    /// it. It need not exist.
    pub fn hub_folder(&self) -> Result<PathBuf, WireError> {
        let home = directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_owned());
        koab_hub::hub_folder(&|name| std::env::var_os(name), home.as_deref()).ok_or_else(|| {
            WireError::bad_request(say!(
                "the system names no home folder for fetched files; name one in HF_HOME"
            ))
        })
    }

    /// The models on this disk, in the shared cache and the workspace.
    #[cfg(feature = "local")]
    pub(crate) fn library(&self) -> Result<Library, WireError> {
        Ok(Library::new(self.hub_folder()?, self.workspace.home().models()))
    }
}
