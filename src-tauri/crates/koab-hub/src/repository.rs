//! One repository in the cache: `{models,datasets}--org--name/{blobs,refs,snapshots/<commit>}`.
//!
//! Contents lie in `blobs` under their hash, `snapshots/<commit>/<path>` are relative links to
//! them, and `refs/<revision>` holds the commit that a branch or tag stood for.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What Python writes into the root, so that backups leave it out.
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# This file is a cache directory tag created by huggingface_hub.\n# For information about cache directory tags, see:\n#\thttps://bford.info/cachedir/\n";

/// Letters before the name of a folder, by what a repository holds.
const MODELS: &str = "models--";
const DATASETS: &str = "datasets--";

/// One repository's part of the cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    hub: PathBuf,
    folder: PathBuf,
}

impl Repository {
    /// The repository of a model; it does not have to be there.
    pub fn of_model(hub: &Path, repo: &str) -> Self {
        Self::named(hub, MODELS, repo)
    }

    /// The repository of a dataset; it does not have to be there.
    pub fn of_dataset(hub: &Path, repo: &str) -> Self {
        Self::named(hub, DATASETS, repo)
    }

    fn named(hub: &Path, kind: &str, repo: &str) -> Self {
        Self { hub: hub.to_owned(), folder: hub.join(format!("{kind}{}", repo.replace('/', "--"))) }
    }

    /// All repositories of models in a cache, each with its name.
    pub fn all_models(hub: &Path) -> Vec<(String, Self)> {
        let entries = fs::read_dir(hub).into_iter().flatten().flatten();
        let mut found: Vec<(String, Self)> = entries
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let repo = name.strip_prefix(MODELS)?.replacen("--", "/", 1);
                let folder = entry.path();
                folder.is_dir().then(|| (repo, Self { hub: hub.to_owned(), folder }))
            })
            .collect();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where the content of a hash belongs.
    pub fn blob(&self, hash: &str) -> PathBuf {
        self.folder.join("blobs").join(hash)
    }

    /// Where a content lies as long as it is not whole.
    pub fn incomplete(&self, hash: &str) -> PathBuf {
        self.folder.join("blobs").join(format!("{hash}.incomplete"))
    }

    /// The folder of a commit's files.
    pub fn snapshot(&self, commit: &str) -> PathBuf {
        self.folder.join("snapshots").join(commit)
    }

    /// The file that whoever fetches a content locks, as Python does.
    pub fn lock(&self, hash: &str) -> PathBuf {
        self.locks().join(format!("{hash}.lock"))
    }

    /// The folder of its locks.
    pub fn locks(&self) -> PathBuf {
        let name = self.folder.file_name().unwrap_or_default();
        self.hub.join(".locks").join(name)
    }

    /// Makes the folders that fetching needs.
    ///
    /// # Errors
    /// When the disk refuses.
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

    /// Notes which commit a branch or tag stands for.
    ///
    /// # Errors
    /// When the disk refuses.
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

    /// Puts a content that is there under its path in a commit: a relative link, and where the
    /// system has none, the file itself.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn link(&self, commit: &str, path: &str, hash: &str) -> io::Result<()> {
        let at = self.snapshot(commit).join(path);
        if at.exists() {
            return Ok(());
        }
        if let Some(parent) = at.parent() {
            fs::create_dir_all(parent)?;
        }
        // A link whose content is gone is in the way.
        let _ = fs::remove_file(&at);
        let up = "../".repeat(path.split('/').count() + 1);
        let target = PathBuf::from(format!("{up}blobs/{hash}"));
        match symlink(&target, &at) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(_) => fs::rename(self.blob(hash), &at),
        }
    }

    /// Whether a commit has a file.
    pub fn has(&self, commit: &str, path: &str) -> bool {
        self.snapshot(commit).join(path).is_file()
    }

    /// Branches and tags with the commits that they stood for.
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

    /// The commits of which something is there: the main branch's first, then the newest.
    pub fn commits(&self) -> Vec<String> {
        let main = self.refs().remove("main");
        let entries = fs::read_dir(self.folder.join("snapshots")).into_iter().flatten().flatten();
        let mut commits: Vec<(bool, std::time::SystemTime, String)> = entries
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let made = entry.metadata().ok()?.modified().ok()?;
                Some((main.as_deref() == Some(&name), made, name))
            })
            .collect();
        commits.sort_by(|a, b| b.cmp(a));
        commits.into_iter().map(|(_, _, name)| name).collect()
    }

    /// The files of a commit, links followed or not: path in the repository and path on the disk.
    /// Links without content are left out.
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

    /// Files of a commit with the hashes by which they are kept; those that are no links have none.
    pub fn hashes(&self, commit: &str) -> Vec<(String, PathBuf, Option<String>)> {
        let hash = |path: &Path| Some(fs::read_link(path).ok()?.file_name()?.to_str()?.to_owned());
        let files = self.files(commit).into_iter();
        files.map(|(name, path)| (name, path.clone(), hash(&path))).collect()
    }

    /// Takes files of a commit away again, paths with their hashes, half-fetched ones too. Contents
    /// that other commits link to stay.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn undo(&self, commit: &str, files: &[(&str, &str)]) -> io::Result<()> {
        let gone = |path: &Path| match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
        for (path, hash) in files {
            gone(&self.snapshot(commit).join(path))?;
            gone(&self.incomplete(hash))?;
        }
        let commits = self.commits();
        let kept: BTreeSet<String> =
            commits.iter().flat_map(|one| self.hashes(one)).filter_map(|one| one.2).collect();
        for (_, hash) in files.iter().filter(|(_, hash)| !kept.contains(*hash)) {
            gone(&self.blob(hash))?;
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

    /// Takes away folders that are empty now, and names of commits of which nothing is left.
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

/// Every file below a folder, links as files.
pub fn walk(folder: &Path, found: &mut dyn FnMut(&Path)) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        // Not following links: one that leads upwards would never end.
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
    // Refused for folders with something in them, as it should be.
    let _ = fs::remove_dir(folder);
}
