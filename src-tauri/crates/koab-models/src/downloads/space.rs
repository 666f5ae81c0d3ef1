//! Free space on the disk.

use std::path::Path;

/// Free bytes on the disk of a folder, which need not exist yet; `None` if the system does not
/// report it.
pub fn free(folder: &Path) -> Option<u64> {
    let there = folder.ancestors().find(|folder| folder.is_dir())?;
    fs4::available_space(there).ok()
}
