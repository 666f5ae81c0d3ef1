//! Paths for display, and free paths for new files.

use crate::Workspace;
use std::path::{Path, PathBuf};

/// Last part of a path. For privacy, only this part of a user's path may be stored.
pub fn last_part(path: &Path) -> String {
    last_parts(path, 1)
}

/// Last parts of a path, joined by slashes.
pub fn last_parts(path: &Path, count: usize) -> String {
    let parts: Vec<String> = path
        .components()
        .filter_map(|part| match part {
            std::path::Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
            _ => None,
        })
        .collect();
    if parts.is_empty() {
        return path.display().to_string();
    }
    parts[parts.len().saturating_sub(count)..].join("/")
}

/// A path in the folder that does not exist yet: `name` with `ending`, or else the first free one
/// of `name-2`, `name-3` and so on.
pub fn free_path(folder: &Path, name: &str, ending: &str) -> PathBuf {
    let first = folder.join(format!("{name}{ending}"));
    let others = (2..).map(|n| folder.join(format!("{name}-{n}{ending}")));
    std::iter::once(first.clone()).chain(others).find(|path| !path.exists()).unwrap_or(first)
}

impl Workspace {
    /// A path in the workspace's `exports` folder that does not exist yet, as in [`free_path`].
    pub fn free_export(&self, name: &str, ending: &str) -> PathBuf {
        free_path(&self.home().path().join("exports"), name, ending)
    }
}
