//! The models on this disk, from wherever they came: the cache that Hugging Face's tools share, the
//! models converted here, and folders and files that somebody named.
//!
//! Pure file system: fetching is another crate's, the layout of the shared cache `koab-hub`'s.
//! Nothing is kept in memory between two looks, so that what other programs fetch and delete is
//! seen at once.
//!
//! - [`choose`]: which of a repository's files make a model.
//! - the other files: the list, paths that were added, what deleting frees.

mod added;
pub mod choose;
mod conversions;
mod entry;
mod error;
mod facts;
mod folders;
mod gguf_files;
mod hashes;
mod remove;
mod scan;

pub use entry::{Conversion, Entry, EntryOrigin, Kind};
pub use error::LibraryError;
pub use facts::Facts;
pub use folders::Library;
pub use remove::{Part, Removal};

use std::path::{Path, PathBuf};

impl Library {
    /// All models, by name.
    pub fn list(&self) -> Vec<Entry> {
        scan::all(self)
    }

    /// The model of a name, as [`Entry::name`] has it, with or without `local/` in front; a
    /// repository also as `org/name@revision`, and whatever lies on this disk as its full path.
    ///
    /// # Errors
    /// When there is none, or the name fits several.
    pub fn find(&self, name: &str) -> Result<Entry, LibraryError> {
        let name = name.strip_prefix("local/").unwrap_or(name);
        if Path::new(name).is_absolute() {
            return added::entry_of(self, Path::new(name)).map(|mut found| {
                found.name = name.to_owned();
                found
            });
        }
        let all = self.list();
        if let Some(found) = all.iter().find(|entry| entry.name == name) {
            return Ok(found.clone());
        }
        if let Some((repo, revision)) = name.split_once('@')
            && let Some(found) = scan::at_revision(self, repo, revision)
        {
            return one_of(name, found);
        }
        // A repository with several GGUF files by its own name, and a file with its ending.
        let below = format!("{name}/");
        let plain = name.strip_suffix(".gguf").unwrap_or(name);
        let fits: Vec<Entry> = all
            .iter()
            .filter(|entry| entry.name.starts_with(&below) || entry.name == plain)
            .cloned()
            .collect();
        if !fits.is_empty() {
            return one_of(name, fits);
        }
        let lower = name.to_lowercase();
        let near = all.iter().find(|entry| {
            let other = entry.name.to_lowercase();
            other == lower || other.ends_with(&format!("/{lower}"))
        });
        let name = name.to_owned();
        Err(match near {
            Some(entry) => LibraryError::NotThereBut { name, near: entry.name.clone() },
            None => LibraryError::NotThere { name },
        })
    }

    /// Remembers a folder or GGUF file where it lies; nothing is copied.
    ///
    /// # Errors
    /// When it holds no model, or the list cannot be written.
    pub fn add(&self, path: &Path) -> Result<Entry, LibraryError> {
        added::add(self, path)
    }

    /// The folder that a conversion of this model belongs in.
    pub fn conversion_folder(&self, entry: &Entry, precision: &str) -> PathBuf {
        conversions::home(self, entry).join(precision)
    }
}

fn one_of(name: &str, mut found: Vec<Entry>) -> Result<Entry, LibraryError> {
    match (found.pop(), found.is_empty()) {
        (Some(only), true) => Ok(only),
        (last, _) => Err(LibraryError::Several {
            name: name.to_owned(),
            models: found.into_iter().chain(last).map(|entry| entry.name).collect(),
        }),
    }
}
