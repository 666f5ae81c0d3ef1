//! What lies in a folder that may not be there, and folders moved within the workspace.

use crate::error::{Error, Result};
use koab_engine::files::if_there;
use std::fs::{self, DirEntry};
use std::io;
use std::path::Path;

/// What lies in a folder, in no order; nothing where there is no such folder.
pub(crate) fn entries(folder: &Path) -> Result<Vec<DirEntry>> {
    let failed = |error: io::Error| Error::io("read", folder, &error);
    let entries = if_there(fs::read_dir(folder)).map_err(failed)?;
    let entries = entries.into_iter().flatten();
    entries.map(|entry| entry.map_err(failed)).collect()
}

/// Moves a folder, which a rename does: both places lie in the workspace.
pub(crate) fn move_to(from: &Path, to: &Path) -> Result<()> {
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent).map_err(|error| Error::io("create", parent, &error))?;
    }
    fs::rename(from, to).map_err(|error| Error::io("move", from, &error))
}
