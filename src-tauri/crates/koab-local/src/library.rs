//! Models that are stored on this computer: in the cache shared with Hugging Face's tools,
//! converted here, or in folders and files that the user added.
//!
//! The library only reads the file system: another crate downloads, and `koab-hub` knows the layout
//! of the shared cache. Nothing is kept in memory between two calls, so changes by other programs
//! are seen at once.
//!
//! - [`choose`]: selects the files of a repository that form a model.
//! - the other modules: the list, added paths, deletion.

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

    /// Finds a model by its [`Entry::name`], with or without `local/` in front.
    ///
    /// A repository can also be given as `org/name@revision`, and any model on this disk by its
    /// full path.
    ///
    /// # Errors
    /// When there is no such model, or the name fits several.
    pub fn find(&self, name: &str) -> Result<Entry, LibraryError> {
        let name = name.strip_prefix("local/").unwrap_or(name);
        if Path::new(name).is_absolute() {
            return added::entry_of(self, Path::new(name)).map(|mut entry| {
                entry.name = name.to_owned();
                entry
            });
        }
        let all = self.list();
        if let Some(entry) = all.iter().find(|one| one.name == name) {
            return Ok(entry.clone());
        }
        if let Some((repo, revision)) = name.split_once('@')
            && let Some(entries) = scan::at_revision(self, repo, revision)
        {
            return one_of(name, entries);
        }
        // A repository with several GGUF files is also found by its own name, and a file by its
        // name with the extension.
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

    /// Adds a folder or GGUF file by its path; nothing is copied.
    ///
    /// # Errors
    /// When the path contains no model, or the list cannot be written.
    pub fn add(&self, path: &Path) -> Result<Entry, LibraryError> {
        added::add(self, path)
    }

    /// Folder for a conversion of this model.
    pub fn conversion_folder(&self, entry: &Entry, precision: &str) -> PathBuf {
        conversions::home(self, entry).join(precision)
    }
}

fn one_of(name: &str, mut entries: Vec<Entry>) -> Result<Entry, LibraryError> {
    match (entries.pop(), entries.is_empty()) {
        (Some(only), true) => Ok(only),
        (last, _) => Err(LibraryError::Several {
            name: name.to_owned(),
            models: entries.into_iter().chain(last).map(|entry| entry.name).collect(),
        }),
    }
}
