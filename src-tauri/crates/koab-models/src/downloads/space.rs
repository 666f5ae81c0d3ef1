//! Room on the disk.

use std::path::Path;

/// Bytes that are free where a folder is or will be; `None` when the system does not say.
pub fn free(folder: &Path) -> Option<u64> {
    let there = folder.ancestors().find(|folder| folder.is_dir())?;
    fs4::available_space(there).ok()
}
