//! Changes the owner of a folder and all its entries, which requires root. Links are changed
//! themselves and not followed.

use std::os::unix::fs::{MetadataExt, lchown};
use std::path::Path;

use crate::folder_walk::walk;

/// Changes the owner and group of everything under a path.
///
/// # Errors
/// When the system refuses for an entry; the owners of the others are changed anyway.
pub(crate) fn give(path: &Path, owner: (u32, u32)) -> std::io::Result<()> {
    let metadata = path.symlink_metadata()?;
    if (metadata.uid(), metadata.gid()) != owner {
        lchown(path, Some(owner.0), Some(owner.1))?;
    }
    let missed = walk(path, &mut |entry| entry.give(owner));
    missed.into_iter().next().map_or(Ok(()), |(_, error)| Err(error))
}
