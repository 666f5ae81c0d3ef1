//! Files that the page uploads, so that commands can be given their paths: files that are selected
//! or dropped in a browser have no path.
//!
//! They are in a folder of this server that only its user can read, and they are deleted when the
//! server stops.

use koab_api::WireError;
use koab_core::say;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tempfile::TempDir;

/// Limits of uploads and requests.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum number of bytes of one file.
    pub file: u64,
    /// Maximum number of bytes of all files until the server stops.
    pub all: u64,
    /// Time limit for receiving a request's head. Browsers send the head at once.
    pub head: Duration,
}

impl Default for Limits {
    /// Allows 512 MiB per file and 2 GiB in all. The published data with all logs has 50 MB.
    fn default() -> Self {
        Self { file: 512 << 20, all: 2 << 30, head: Duration::from_secs(10) }
    }
}

/// The files uploaded so far.
pub(crate) struct Uploads {
    pub(crate) limits: Limits,
    /// Folder of the files; created for the first upload.
    folder: Mutex<Option<TempDir>>,
    pub(crate) brought: AtomicU64,
}

impl Uploads {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, folder: Mutex::default(), brought: AtomicU64::new(0) }
    }

    pub(crate) fn root(&self) -> Result<PathBuf, WireError> {
        let mut folder = self.folder();
        if folder.is_none() {
            *folder = Some(private_folder().map_err(WireError::storage)?);
        }
        folder
            .as_ref()
            .map(|folder| folder.path().to_owned())
            .ok_or_else(|| WireError::internal(say!("no folder")))
    }

    /// Removes all files.
    pub(crate) fn remove(&self) {
        self.folder().take();
    }

    fn folder(&self) -> MutexGuard<'_, Option<TempDir>> {
        self.folder.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn private_folder() -> std::io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("koab-serve-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir()
}
