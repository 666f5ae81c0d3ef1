//! Changes the owner of a folder and all its entries, which requires root. The owner of a link
//! itself is changed; links are not followed.

use std::os::unix::fs::{MetadataExt, lchown};
use std::path::Path;

use crate::folder_walk::walk;

/// Changes the owner and group of everything under a path.
///
/// # Errors
/// When the system refuses to change an entry; the owners of the other entries are changed anyway.
pub(crate) fn give(path: &Path, owner: (u32, u32)) -> std::io::Result<()> {
    let metadata = path.symlink_metadata()?;
    if (metadata.uid(), metadata.gid()) != owner {
        lchown(path, Some(owner.0), Some(owner.1))?;
    }
    let missed = walk(path, &mut |entry| entry.give(owner));
    missed.into_iter().next().map_or(Ok(()), |(_, error)| Err(error))
}
