//! Storage of imported runs and reports.
//!
//! A hidden folder is filled and then renamed, so that an import appears completely or not at all.
//! A note in the folder records the origin of the import.

use crate::error::{Error, Result};
use crate::{atomic, json_file};
use koab_core::say;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// Note of the origin, in the folder of an imported run or report.
pub const ORIGIN: &str = "imported.json";

/// Prefix of the hidden folder that an import fills, in the workspace's folder.
const STAGING: &str = ".importing-";

/// Age after which the leftovers of a killed import are removed.
const STALE_AFTER: Duration = Duration::from_hours(24);

/// Origin of an imported folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Version of this format: 1.
    pub format: u32,
    /// Name of the imported file or folder, without its parent folders.
    pub source: String,
    /// Time of the import in ISO local time.
    pub at: String,
    /// SHA-256 of each imported file, by its name in the folder.
    pub files: BTreeMap<String, String>,
    /// Model that the user named, when no file states it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Whether the report belongs to the reference set, with which other reports are compared.
    #[serde(default, skip_serializing_if = "is_not")]
    pub reference: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde calls")]
fn is_not(reference: &bool) -> bool {
    !reference
}

impl Origin {
    /// Reads the origin of a folder. `None` when the folder was made in this workspace, or its note
    /// cannot be read.
    pub fn read(folder: &Path) -> Option<Self> {
        let note = json_file::read_json(&folder.join(ORIGIN)).ok()?;
        serde_json::from_value(note).ok()
    }

    /// Writes or replaces the note in an existing folder.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn write(&self, folder: &Path) -> Result<()> {
        atomic::write(&folder.join(ORIGIN), &self.text()?)
    }

    fn text(&self) -> Result<Vec<u8>> {
        serde_json::to_vec_pretty(self).map_err(|error| Error::BadFile(say!("{ORIGIN}: {error}")))
    }
}

/// Folder that is being filled. Dropping it before it is published deletes it.
#[derive(Debug)]
pub struct StagedFolder {
    folder: TempDir,
}

impl StagedFolder {
    /// Creates a hidden folder in the workspace `home`, so that publishing it is a rename.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn begin(home: &Path) -> Result<Self> {
        let refuse = |error: io::Error| Error::io("write", home, &error);
        fs::create_dir_all(home).map_err(refuse)?;
        let folder = tempfile::Builder::new().prefix(STAGING).tempdir_in(home);
        Ok(Self { folder: folder.map_err(refuse)? })
    }

    /// Adds a file and syncs it to the disk.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn put(&self, name: &str, content: &[u8]) -> Result<()> {
        let path = self.folder.path().join(name);
        // Other benchmarks' groups have a subfolder for their logs.
        let parent = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(|error| Error::io("create", parent, &error))?;
        let outcome = File::create_new(&path).and_then(|mut file| {
            file.write_all(content)?;
            file.sync_all()
        });
        outcome.map_err(|error| Error::io("write", &path, &error))
    }

    /// Moves the folder to its place with a note of its origin. Returns `false`, with nothing done,
    /// when a folder already exists there.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn publish(self, target: &Path, origin: &Origin) -> Result<bool> {
        self.put(ORIGIN, &origin.text()?)?;
        let parent = target.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(|error| Error::io("create", parent, &error))?;
        if target.exists() {
            return Ok(false);
        }
        make_readable(self.folder.path());
        match fs::rename(self.folder.path(), target) {
            Ok(()) => {
                // The folder has been moved, so there is nothing to delete.
                let _ = self.folder.keep();
                Ok(true)
            }
            // Another import was faster.
            Err(_) if target.exists() => Ok(false),
            Err(error) => Err(Error::io("write", target, &error)),
        }
    }
}

/// Adds a file to an existing folder. After an error, no part of the file is there.
///
/// # Errors
/// When the disk refuses.
pub fn add(folder: &Path, name: &str, content: &[u8]) -> Result<()> {
    atomic::write(&folder.join(name), content)
}

/// Removes leftovers of killed imports from the workspace. Imports in progress are younger and
/// stay.
pub fn sweep(home: &Path) {
    let Ok(entries) = fs::read_dir(home) else {
        return;
    };
    for entry in entries.filter_map(io::Result::ok) {
        let stale = || {
            let changed = entry.metadata().ok()?.modified().ok()?;
            Some(SystemTime::now().duration_since(changed).ok()? > STALE_AFTER)
        };
        if entry.file_name().to_string_lossy().starts_with(STAGING) && stale() == Some(true) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Folders exactly `depth` levels below `folder` that have a note of their origin.
pub fn origins(folder: &Path, depth: usize) -> Vec<(PathBuf, Origin)> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut folders = Vec::new();
    for entry in entries.filter_map(io::Result::ok) {
        let path = entry.path();
        if depth > 1 {
            folders.extend(origins(&path, depth - 1));
        } else if let Some(origin) = Origin::read(&path) {
            folders.push((path, origin));
        }
    }
    folders
}

/// Makes a temporary folder readable by other users. It is created private, but logs and reports
/// are read by others.
fn make_readable(folder: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o755));
    }
    #[cfg(not(unix))]
    let _ = folder;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("listed");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_folder_appears_whole_or_not_at_all() {
        let home = tempfile::tempdir().expect("a folder");
        let target = home.path().join("logs/by_model/m/20251219_113310");
        let origin = Origin { format: 1, source: "m".to_owned(), ..Origin::default() };
        let given_up = StagedFolder::begin(home.path()).expect("begun");
        given_up.put("L1.json", b"{}").expect("written");
        drop(given_up);
        assert_eq!(names(home.path()), [""; 0], "nothing stays of what was given up");

        let staged = StagedFolder::begin(home.path()).expect("begun");
        staged.put("L1.json", b"{}").expect("written");
        assert!(!target.exists());
        assert!(staged.publish(&target, &origin).expect("put in its place"));
        assert_eq!(names(&target), ["L1.json", ORIGIN]);
        assert_eq!(Origin::read(&target), Some(origin.clone()));

        let second = StagedFolder::begin(home.path()).expect("begun");
        second.put("L2.json", b"{}").expect("written");
        assert!(!second.publish(&target, &origin).expect("asked"), "what is there stays");
        assert_eq!(names(&target), ["L1.json", ORIGIN]);
        assert_eq!(names(home.path()), ["logs"]);
        assert_eq!(origins(&home.path().join("logs/by_model"), 2), [(target, origin)]);
    }

    #[test]
    fn only_old_leftovers_are_swept_away() {
        let home = tempfile::tempdir().expect("a folder");
        for name in [".importing-old", ".importing-new", "logs"] {
            fs::create_dir(home.path().join(name)).expect("made");
        }
        let old = File::open(home.path().join(".importing-old")).expect("opened");
        let past = SystemTime::now() - 2 * STALE_AFTER;
        old.set_times(fs::FileTimes::new().set_modified(past)).expect("set");
        sweep(home.path());
        assert_eq!(names(home.path()), [".importing-new", "logs"]);
    }
}
