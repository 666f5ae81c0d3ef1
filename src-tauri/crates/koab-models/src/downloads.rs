//! What is fetched from a Hugging Face hub, whatever it is for: which hub is asked and as whom, and
//! files on their way into the cache that all of Hugging Face's tools share.
//!
//! The hub's protocol is `koab-providers`', the cache's layout `koab-hub`'s; here they meet. Which
//! files a model or a pack needs is not known here (`weights`, `koab-packs`).

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
    /// The shared cache, where `HF_HUB_CACHE` and `HF_HOME` say, as for Python's tools. It does not
    /// have to be there.
    pub fn hub_folder(&self) -> Result<PathBuf, WireError> {
        let home = directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_owned());
        koab_hub::hub_folder(&|name| std::env::var_os(name), home.as_deref()).ok_or_else(|| {
            WireError::bad_request(say!(
                "the system names no home folder for fetched files; name one in HF_HOME"
            ))
        })
    }

    /// The models on this disk. The cache is where `HF_HUB_CACHE` and `HF_HOME` say, as for
    /// Python's tools.
    #[cfg(feature = "local")]
    pub(crate) fn library(&self) -> Result<Library, WireError> {
        Ok(Library::new(self.hub_folder()?, self.workspace.home().models()))
    }
}
