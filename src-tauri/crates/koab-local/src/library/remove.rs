//! Deletes models: which files are deleted, how much space that frees, and which files other
//! entries still need.
//!
//! Blobs in the shared Hugging Face cache are kept while any commit links to them. Files of added
//! paths are never touched: only their entry in the list is removed.

use super::entry::{Entry, EntryOrigin, Kind};
use super::{Library, LibraryError, added, conversions, gguf_files};
use koab_hub::Repository;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Part of a model to delete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// The model with its conversions.
    #[default]
    Everything,
    /// The fetched files. Conversions are kept and still work.
    Source,
    /// Conversions: those of one precision, or all.
    Conversions(Option<String>),
}

/// Effect of a deletion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Removal {
    /// Bytes that are freed on the disk.
    pub frees: u64,
    /// Folders and files that are deleted.
    pub gone: Vec<PathBuf>,
    /// Added path that is removed from the list; its files are kept.
    pub stays: Option<PathBuf>,
    /// Links and blobs of the Hugging Face cache that are deleted one by one.
    files: Vec<PathBuf>,
    /// Repository that loses files. Unused files in its cache folder are removed afterwards.
    tidy: Option<Repository>,
}

impl Library {
    /// Effect of deleting a model, before it is deleted.
    ///
    /// All revisions of a repository are included, unless the entry was found by a revision.
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

    /// Deletes a model or a part of it.
    ///
    /// # Errors
    /// When the file system refuses. Files that were deleted before that stay deleted.
    pub fn remove(&self, entry: &Entry, part: &Part) -> Result<Removal, LibraryError> {
        let removal = self.removal(entry, part);
        for path in removal.files.iter().chain(&removal.gone) {
            let outcome = match fs::symlink_metadata(path) {
                Ok(facts) if facts.is_dir() => fs::remove_dir_all(path),
                Ok(_) => fs::remove_file(path),
                Err(_) => Ok(()),
            };
            outcome.map_err(LibraryError::disk(path))?;
        }
        if let Some(repository) = &removal.tidy {
            repository.tidy();
        }
        if let Some(path) = &removal.stays {
            added::forget(self, path)?;
        }
        // A folder that contained only conversions is no longer needed; any other is not empty and
        // stays.
        let _ = fs::remove_dir(conversions::home(self, entry));
        Ok(removal)
    }

    fn fetched(&self, entry: &Entry, repo: &str, commits: &[String], removal: &mut Removal) {
        let cache = Repository::of_model(&self.hub, repo);
        let all = cache.commits();
        let (mut links, mut contents, mut shared) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        let mut is_last = true;
        for commit in &all {
            let files = cache.hashes(commit);
            let own = belonging(entry, &files);
            for (path, place, hash) in files {
                if commits.contains(commit) && own.contains(&path) {
                    contents.extend(hash);
                    links.push(place);
                } else {
                    shared.extend(hash);
                    is_last = false;
                }
            }
        }
        if is_last {
            // Nothing of the repository is left, so partial downloads are deleted as well.
            removal.frees += real_bytes(cache.folder());
            removal.gone.extend([cache.folder().to_owned(), cache.locks()]);
            return;
        }
        let blobs: Vec<PathBuf> = contents.difference(&shared).map(|hash| cache.blob(hash)).collect();
        for path in links.iter().chain(&blobs) {
            removal.frees +=
                fs::symlink_metadata(path).map_or(0, |facts| if facts.is_file() { facts.len() } else { 0 });
        }
        removal.files.extend(links);
        removal.files.extend(blobs);
        removal.tidy = Some(cache);
    }
}

/// Paths in a commit that are deleted with a model. Files that all models of a repository share are
/// only included if no other model is left.
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

/// Bytes of the regular files below a folder.
fn real_bytes(folder: &Path) -> u64 {
    let mut bytes = 0;
    koab_hub::walk(folder, &mut |path| {
        bytes += fs::symlink_metadata(path).map_or(0, |facts| if facts.is_file() { facts.len() } else { 0 });
    });
    bytes
}
