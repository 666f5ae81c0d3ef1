//! Giving a folder and all in it to a user. Needs to be root; links are given, not followed.

use std::os::unix::fs::{MetadataExt, lchown};
use std::path::Path;

/// Makes a user and group the owner of everything under a path.
///
/// # Errors
/// When the system refuses.
pub(crate) fn give(path: &Path, owner: (u32, u32)) -> std::io::Result<()> {
    let metadata = path.symlink_metadata()?;
    if (metadata.uid(), metadata.gid()) != owner {
        lchown(path, Some(owner.0), Some(owner.1))?;
    }
    if metadata.is_dir() {
        for entry in path.read_dir()? {
            give(&entry?.path(), owner)?;
        }
    }
    Ok(())
}
