//! Paths of a run's level logs.

use koab_core::level::{GROUPS, Level};
use std::fs;
use std::path::{Path, PathBuf};

/// Path of a level's log in a run's folder.
pub(crate) fn log_path(folder: &Path, level: &Level) -> PathBuf {
    folder.join(level.log_file())
}

/// Logs of other benchmarks' groups, with their paths.
pub(crate) fn groups(folder: &Path) -> Vec<(Level, PathBuf)> {
    let Ok(entries) = fs::read_dir(folder.join(GROUPS)) else {
        return Vec::new();
    };
    let group = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        let level = Level::group(&name.strip_suffix(".json")?.replace("%3A", ":")).ok()?;
        let path = log_path(folder, &level);
        (level.place().is_none() && path == entry.path()).then_some((level, path))
    };
    entries.flatten().filter_map(group).collect()
}
