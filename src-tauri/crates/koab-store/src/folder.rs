//! Listing folders that may be missing, and moving folders within the workspace.

use crate::error::{Error, Result};
use koab_engine::files::if_there;
use std::fs::{self, DirEntry};
use std::io;
use std::path::Path;

/// Entries of a folder, in no order. Empty when the folder does not exist.
pub(crate) fn entries(folder: &Path) -> Result<Vec<DirEntry>> {
    let failed = |error: io::Error| Error::io("read", folder, &error);
    let entries = if_there(fs::read_dir(folder)).map_err(failed)?;
    let entries = entries.into_iter().flatten();
    entries.map(|entry| entry.map_err(failed)).collect()
}

/// Moves a folder by a rename. Both paths must be inside the workspace.
pub(crate) fn move_to(from: &Path, to: &Path) -> Result<()> {
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent).map_err(|error| Error::io("create", parent, &error))?;
    }
    fs::rename(from, to).map_err(|error| Error::io("move", from, &error))
}
