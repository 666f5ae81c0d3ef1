//! Takes in runs and reports that were made elsewhere: a folder is filled out of sight and then
//! appears whole or not at all, with a note of where it came from.

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

/// Beside the files of an imported run or report: where they came from.
pub const ORIGIN: &str = "imported.json";

/// The folder in a workspace's own folder that is being filled.
const STAGING: &str = ".importing-";

/// After this long, what a killed import left is swept away.
const STALE: Duration = Duration::from_hours(24);

/// Where an imported folder came from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Version of this form: 1.
    pub format: u32,
    /// File or folder as the user gave it, without the folders above it.
    pub source: String,
    /// When it was imported, ISO local time.
    pub at: String,
    /// SHA-256 of each file that came along, by its name here.
    pub files: BTreeMap<String, String>,
    /// The model, where no file says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Whether it is a report of the reference set, which others are compared with.
    #[serde(default, skip_serializing_if = "is_not")]
    pub reference: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde calls")]
fn is_not(reference: &bool) -> bool {
    !reference
}

impl Origin {
    /// Where a folder came from; `None` when it was made here, or its note cannot be read.
    pub fn read(folder: &Path) -> Option<Self> {
        let note = json_file::read_json(&folder.join(ORIGIN)).ok()?;
        serde_json::from_value(note).ok()
    }

    /// Writes or replaces the note in a folder that is there.
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

/// A folder that is being filled. Dropped before it is put in its place, it is gone.
#[derive(Debug)]
pub struct StagedFolder {
    folder: TempDir,
}

impl StagedFolder {
    /// Begins a folder in the workspace `home`, so that putting it in its place is a rename.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn begin(home: &Path) -> Result<Self> {
        let refuse = |error: io::Error| Error::io("write", home, &error);
        fs::create_dir_all(home).map_err(refuse)?;
        let folder = tempfile::Builder::new().prefix(STAGING).tempdir_in(home);
        Ok(Self { folder: folder.map_err(refuse)? })
    }

    /// Puts a file into it, all the way to the disk.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn put(&self, name: &str, content: &[u8]) -> Result<()> {
        let path = self.folder.path().join(name);
        // That of a run's groups.
        let parent = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(|error| Error::io("create", parent, &error))?;
        let written = File::create_new(&path).and_then(|mut file| {
            file.write_all(content)?;
            file.sync_all()
        });
        written.map_err(|error| Error::io("write", &path, &error))
    }

    /// Puts the folder in its place with a note of its origin. `false`: another one is there, and
    /// nothing was done.
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
                // It lies elsewhere now; there is nothing to delete.
                let _ = self.folder.keep();
                Ok(true)
            }
            // Another import was quicker.
            Err(_) if target.exists() => Ok(false),
            Err(error) => Err(Error::io("write", target, &error)),
        }
    }
}

/// Adds a file to a folder that is there, whole or not at all.
///
/// # Errors
/// When the disk refuses.
pub fn add(folder: &Path, name: &str, content: &[u8]) -> Result<()> {
    atomic::write(&folder.join(name), content)
}

/// Removes what an import that was killed has left in the workspace. One that is under way is
/// younger.
pub fn sweep(home: &Path) {
    let Ok(entries) = fs::read_dir(home) else {
        return;
    };
    for entry in entries.filter_map(io::Result::ok) {
        let stale = || {
            let changed = entry.metadata().ok()?.modified().ok()?;
            Some(SystemTime::now().duration_since(changed).ok()? > STALE)
        };
        if entry.file_name().to_string_lossy().starts_with(STAGING) && stale() == Some(true) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Folders below `folder` with a note of their origin, `depth` levels down.
pub fn origins(folder: &Path, depth: usize) -> Vec<(PathBuf, Origin)> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for entry in entries.filter_map(io::Result::ok) {
        let path = entry.path();
        if depth > 1 {
            found.extend(origins(&path, depth - 1));
        } else if let Some(origin) = Origin::read(&path) {
            found.push((path, origin));
        }
    }
    found
}

/// Temporary folders are private; logs and reports are to be read by others as usual.
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
        let past = SystemTime::now() - 2 * STALE;
        old.set_times(fs::FileTimes::new().set_modified(past)).expect("set");
        sweep(home.path());
        assert_eq!(names(home.path()), [".importing-new", "logs"]);
    }
}
