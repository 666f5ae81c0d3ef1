//! A repository in the cache: `{models,datasets}--org--name/{blobs,refs,snapshots/<commit>}`.
//!
//! `blobs` contains the files, named by their hash. `snapshots/<commit>/<path>` are relative links
//! to these files. `refs/<revision>` contains the commit of a branch or tag.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Content of `CACHEDIR.TAG`, which Python writes into the cache folder so that backups skip the
/// folder.
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# This file is a cache directory tag created by huggingface_hub.\n# For information about cache directory tags, see:\n#\thttps://bford.info/cachedir/\n";

/// Prefix of the folder of a model's repository.
const MODELS: &str = "models--";
/// Prefix of the folder of a dataset's repository.
const DATASETS: &str = "datasets--";

/// The part of the cache that belongs to one repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    hub: PathBuf,
    folder: PathBuf,
}

impl Repository {
    /// The repository of a model. The folder need not exist.
    pub fn of_model(hub: &Path, repo: &str) -> Self {
        Self::of_kind(hub, MODELS, repo)
    }

    /// The repository of a dataset. The folder need not exist.
    pub fn of_dataset(hub: &Path, repo: &str) -> Self {
        Self::of_kind(hub, DATASETS, repo)
    }

    fn of_kind(hub: &Path, kind: &str, repo: &str) -> Self {
        Self { hub: hub.to_owned(), folder: hub.join(format!("{kind}{}", repo.replace('/', "--"))) }
    }

    /// All repositories of models in a cache, each with its name.
    pub fn all_models(hub: &Path) -> Vec<(String, Self)> {
        let entries = fs::read_dir(hub).into_iter().flatten().flatten();
        let mut models: Vec<(String, Self)> = entries
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let repo = name.strip_prefix(MODELS)?.replacen("--", "/", 1);
                let folder = entry.path();
                folder.is_dir().then(|| (repo, Self { hub: hub.to_owned(), folder }))
            })
            .collect();
        models.sort_by(|a, b| a.0.cmp(&b.0));
        models
    }

    /// Folder of the repository.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Path of the file with this hash.
    pub fn blob(&self, hash: &str) -> PathBuf {
        self.folder.join("blobs").join(hash)
    }

    /// Path of a partial download.
    pub fn incomplete(&self, hash: &str) -> PathBuf {
        self.folder.join("blobs").join(format!("{hash}.incomplete"))
    }

    /// Folder of a commit's files.
    pub fn snapshot(&self, commit: &str) -> PathBuf {
        self.folder.join("snapshots").join(commit)
    }

    /// Path of the lock file for the download of a file. `huggingface_hub` uses the same path.
    pub fn lock(&self, hash: &str) -> PathBuf {
        self.locks().join(format!("{hash}.lock"))
    }

    /// Folder of the repository's lock files.
    pub fn locks(&self) -> PathBuf {
        let name = self.folder.file_name().unwrap_or_default();
        self.hub.join(".locks").join(name)
    }

    /// Creates the folders that a download needs.
    ///
    /// # Errors
    /// When the file system reports an error.
    pub fn prepare(&self) -> io::Result<()> {
        for folder in [self.folder.join("blobs"), self.folder.join("snapshots"), self.locks()] {
            fs::create_dir_all(folder)?;
        }
        let tag = self.hub.join("CACHEDIR.TAG");
        if !tag.exists() {
            fs::write(tag, TAG)?;
        }
        Ok(())
    }

    /// Stores the commit of a branch or tag.
    ///
    /// # Errors
    /// When the file system reports an error.
    pub fn set_ref(&self, revision: &str, commit: &str) -> io::Result<()> {
        if revision == commit {
            return Ok(());
        }
        let path = self.folder.join("refs").join(revision);
        if fs::read_to_string(&path).is_ok_and(|known| known == commit) {
            return Ok(());
        }
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut part = path.clone().into_os_string();
        part.push(".tmp");
        fs::write(&part, commit)?;
        fs::rename(part, path)
    }

    /// Adds a downloaded file to a commit under its path. The path becomes a relative link to the
    /// file in `blobs`. If the system has no links, the file is moved to the path.
    ///
    /// # Errors
    /// When the file system reports an error.
    pub fn link(&self, commit: &str, path: &str, hash: &str) -> io::Result<()> {
        let at = self.snapshot(commit).join(path);
        if at.exists() {
            return Ok(());
        }
        if let Some(parent) = at.parent() {
            fs::create_dir_all(parent)?;
        }
        // A dangling link would be in the way.
        let _ = fs::remove_file(&at);
        let up = "../".repeat(path.split('/').count() + 1);
        let target = PathBuf::from(format!("{up}blobs/{hash}"));
        match symlink(&target, &at) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(_) => fs::rename(self.blob(hash), &at),
        }
    }

    /// Whether a commit has a file at this path.
    pub fn has(&self, commit: &str, path: &str) -> bool {
        self.snapshot(commit).join(path).is_file()
    }

    /// Branches and tags with their commits.
    pub fn refs(&self) -> BTreeMap<String, String> {
        let root = self.folder.join("refs");
        let mut refs = BTreeMap::new();
        walk(&root, &mut |path| {
            let name = path.strip_prefix(&root).ok().and_then(Path::to_str);
            if let (Some(name), Ok(commit)) = (name, fs::read_to_string(path)) {
                refs.insert(name.replace('\\', "/"), commit.trim().to_owned());
            }
        });
        refs
    }

    /// The commits that have files: first the commit of the main branch, then the others, newest
    /// first.
    pub fn commits(&self) -> Vec<String> {
        let main = self.refs().remove("main");
        let entries = fs::read_dir(self.folder.join("snapshots")).into_iter().flatten().flatten();
        let mut commits: Vec<(bool, std::time::SystemTime, String)> = entries
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let modified_time = entry.metadata().ok()?.modified().ok()?;
                Some((main.as_deref() == Some(&name), modified_time, name))
            })
            .collect();
        commits.sort_by(|a, b| b.cmp(a));
        commits.into_iter().map(|(_, _, name)| name).collect()
    }

    /// The files of a commit: path in the repository and path on the disk. Links to missing files
    /// are left out.
    pub fn files(&self, commit: &str) -> Vec<(String, PathBuf)> {
        let root = self.snapshot(commit);
        let mut files = Vec::new();
        walk(&root, &mut |path| {
            if let Some(name) = path.strip_prefix(&root).ok().and_then(Path::to_str)
                && path.is_file()
            {
                files.push((name.replace('\\', "/"), path.to_owned()));
            }
        });
        files.sort();
        files
    }

    /// The files of a commit with their paths and hashes; a file that is not a link has no hash.
    pub fn hashes(&self, commit: &str) -> Vec<(String, PathBuf, Option<String>)> {
        let hash = |path: &Path| Some(fs::read_link(path).ok()?.file_name()?.to_str()?.to_owned());
        let files = self.files(commit).into_iter();
        files.map(|(name, path)| (name, path.clone(), hash(&path))).collect()
    }

    /// Removes files of a commit, given by path and hash, including partial downloads. A file that
    /// other commits link to stays in `blobs`.
    ///
    /// # Errors
    /// When the file system reports an error.
    pub fn undo(&self, commit: &str, files: &[(&str, &str)]) -> io::Result<()> {
        let remove = |path: &Path| match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
        for (path, hash) in files {
            remove(&self.snapshot(commit).join(path))?;
            remove(&self.incomplete(hash))?;
        }
        let commits = self.commits();
        let linked: BTreeSet<String> =
            commits.iter().flat_map(|one| self.hashes(one)).filter_map(|one| one.2).collect();
        for (_, hash) in files.iter().filter(|(_, hash)| !linked.contains(*hash)) {
            remove(&self.blob(hash))?;
        }
        self.tidy();
        if self.commits().is_empty() {
            for folder in [self.folder(), &self.locks()] {
                match fs::remove_dir_all(folder) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Removes empty folders, and references to commits without files.
    pub fn tidy(&self) {
        let snapshots = self.folder.join("snapshots");
        for commit in fs::read_dir(&snapshots).into_iter().flatten().flatten() {
            remove_empty(&commit.path());
        }
        walk(&self.folder.join("refs"), &mut |path| {
            let gone = fs::read_to_string(path).is_ok_and(|commit| !snapshots.join(commit.trim()).exists());
            if gone {
                let _ = fs::remove_file(path);
            }
        });
    }
}

/// Runs `found` for every file below a folder. A link counts as a file.
pub fn walk(folder: &Path, found: &mut dyn FnMut(&Path)) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        // Links are not followed, since one that leads upwards would never end.
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(&entry.path(), found),
            Ok(_) => found(&entry.path()),
            Err(_) => {}
        }
    }
}

#[cfg(unix)]
fn symlink(target: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, at)
}

#[cfg(windows)]
fn symlink(target: &Path, at: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_file(target.to_string_lossy().replace('/', "\\"), at)
}

fn remove_empty(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_empty(&entry.path());
        }
    }
    // The system refuses to remove folders that are not empty, as it should.
    let _ = fs::remove_dir(folder);
}
