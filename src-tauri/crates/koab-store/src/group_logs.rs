//! Where the logs of a run's levels lie.

use koab_core::level::Level;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the logs of other benchmarks' groups, where no name of a group can be that of another file.
const GROUPS: &str = "groups";

/// Where a level's log lies in a run's folder: Ko-AgentBench's beside the journal as published, those of other benchmarks in a folder of their own.
pub(crate) fn log_path(folder: &Path, level: Level) -> PathBuf {
    match level.place() {
        Some(_) => folder.join(format!("{level}.json")),
        // Not every disk takes colons.
        None => folder
            .join(GROUPS)
            .join(format!("{}.json", level.as_str().replace(':', "%3A"))),
    }
}

/// The logs of other benchmarks' groups.
pub(crate) fn groups(folder: &Path) -> Vec<(Level, PathBuf)> {
    let Ok(entries) = fs::read_dir(folder.join(GROUPS)) else {
        return Vec::new();
    };
    let group = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        let level = Level::group(&name.strip_suffix(".json")?.replace("%3A", ":")).ok()?;
        let path = log_path(folder, level);
        (level.place().is_none() && path == entry.path()).then_some((level, path))
    };
    entries.flatten().filter_map(group).collect()
}
