//! Giving a folder and all in it to a user. Needs to be root; links are given, not followed.

use std::os::unix::fs::{MetadataExt, lchown};
use std::path::Path;

use crate::folder_walk::walk;

/// Makes a user and group the owner of everything under a path.
///
/// # Errors
/// When the system refuses; what can be given is given.
pub(crate) fn give(path: &Path, owner: (u32, u32)) -> std::io::Result<()> {
    let metadata = path.symlink_metadata()?;
    if (metadata.uid(), metadata.gid()) != owner {
        lchown(path, Some(owner.0), Some(owner.1))?;
    }
    let missed = walk(path, &mut |found| found.give(owner));
    missed.into_iter().next().map_or(Ok(()), |(_, error)| Err(error))
}
