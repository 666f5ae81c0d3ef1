//! Deleting: what goes, what it frees, and what stays because something else needs it.
//!
//! Contents in the shared cache stay as long as any commit links to them. Files of added paths are
//! never touched: only that they were added is forgotten.

use super::entry::{Entry, EntryOrigin, Kind};
use super::{Library, LibraryError, added, conversions, gguf_files};
use koab_hub::Repository;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What of a model is deleted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// All of it, conversions too.
    #[default]
    Everything,
    /// What was fetched; conversions stay and go on working.
    Source,
    /// Conversions: one precision's, or all.
    Conversions(Option<String>),
}

/// What deleting does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Removal {
    /// Bytes that the disk gets back.
    pub frees: u64,
    /// Folders and files that go.
    pub gone: Vec<PathBuf>,
    /// An added path that is forgotten and stays where it is.
    pub stays: Option<PathBuf>,
    /// Links and contents that go one by one.
    files: Vec<PathBuf>,
    /// The repository that loses files, to be tidied up afterwards.
    tidy: Option<Repository>,
}

impl Library {
    /// What deleting would do; deletes nothing. A repository loses all its revisions, unless the
    /// entry was found by one.
    pub fn removal(&self, entry: &Entry, part: &Part) -> Removal {
        let mut removal = Removal::default();
        if matches!(part, Part::Everything | Part::Source) {
            match &entry.origin {
                EntryOrigin::Hub { repo, commit, commits } => {
                    let one = entry.name.contains('@');
                    let commits = if one { std::slice::from_ref(commit) } else { commits.as_slice() };
                    self.fetched(entry, repo, commits, &mut removal);
                }
                EntryOrigin::Added => removal.stays = Some(entry.path.clone()),
                EntryOrigin::Converted => {}
            }
        }
        let conversions = entry.conversions.iter().filter(|one| match part {
            Part::Everything => true,
            Part::Source => false,
            Part::Conversions(precision) => precision.as_ref().is_none_or(|name| *name == one.precision),
        });
        for one in conversions {
            removal.frees += one.bytes;
            removal.gone.extend(one.path.parent().map(Path::to_owned));
        }
        removal
    }

    /// Deletes, and says what went.
    ///
    /// # Errors
    /// When the disk refuses; what was deleted until then is gone.
    pub fn remove(&self, entry: &Entry, part: &Part) -> Result<Removal, LibraryError> {
        let removal = self.removal(entry, part);
        for path in removal.files.iter().chain(&removal.gone) {
            let gone = match fs::symlink_metadata(path) {
                Ok(facts) if facts.is_dir() => fs::remove_dir_all(path),
                Ok(_) => fs::remove_file(path),
                Err(_) => Ok(()),
            };
            gone.map_err(LibraryError::disk(path))?;
        }
        if let Some(repository) = &removal.tidy {
            repository.tidy();
        }
        if let Some(path) = &removal.stays {
            added::forget(self, path)?;
        }
        // A folder that held nothing but conversions has no use any more; any other is not empty.
        let _ = fs::remove_dir(conversions::home(self, entry));
        Ok(removal)
    }

    fn fetched(&self, entry: &Entry, repo: &str, commits: &[String], removal: &mut Removal) {
        let cache = Repository::of_model(&self.hub, repo);
        let all = cache.commits();
        let (mut links, mut contents, mut kept) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        let mut is_last = true;
        for commit in &all {
            let files = cache.hashes(commit);
            let own = belonging(entry, &files);
            for (path, place, hash) in files {
                if commits.contains(commit) && own.contains(&path) {
                    contents.extend(hash);
                    links.push(place);
                } else {
                    kept.extend(hash);
                    is_last = false;
                }
            }
        }
        if is_last {
            // Nothing is left of it: half-fetched contents go as well.
            removal.frees += real_bytes(cache.folder());
            removal.gone.extend([cache.folder().to_owned(), cache.locks()]);
            return;
        }
        let blobs: Vec<PathBuf> = contents.difference(&kept).map(|hash| cache.blob(hash)).collect();
        for path in links.iter().chain(&blobs) {
            removal.frees +=
                fs::symlink_metadata(path).map_or(0, |facts| if facts.is_file() { facts.len() } else { 0 });
        }
        removal.files.extend(links);
        removal.files.extend(blobs);
        removal.tidy = Some(cache);
    }
}

/// Which files of a commit go with a model. What all models of a repository share goes with the
/// last one.
fn belonging(entry: &Entry, files: &[(String, PathBuf, Option<String>)]) -> BTreeSet<String> {
    let paths = || files.iter().map(|(path, ..)| path.as_str());
    let groups = gguf_files::groups(paths());
    let has_folder = paths().any(|path| path.ends_with(".safetensors"));
    let alone = groups.len() + usize::from(has_folder) <= 1;
    let shared = |path: &str| ["README.md", "LICENSE", "LICENSE.txt"].contains(&path);
    let name = entry.name.split('@').next().unwrap_or_default();
    let own = |path: &&str| match entry.kind {
        _ if alone => true,
        Kind::Safetensors => !path.ends_with(".gguf") && !shared(path),
        Kind::Gguf => groups.iter().any(|group| {
            name.ends_with(&format!("/{}", group.name())) && group.files.iter().any(|file| file == path)
        }),
    };
    paths().filter(own).map(str::to_owned).collect()
}

/// Bytes of what are files themselves.
fn real_bytes(folder: &Path) -> u64 {
    let mut bytes = 0;
    koab_hub::walk(folder, &mut |path| {
        bytes += fs::symlink_metadata(path).map_or(0, |facts| if facts.is_file() { facts.len() } else { 0 });
    });
    bytes
}
