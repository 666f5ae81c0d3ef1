//! Removes keys from an agent's texts before they leave koab, and from the files that the agent
//! wrote.

use koab_core::say;
use koab_core::secrets::Secrets;
use koab_core::sentence::Sentence;
use koab_engine::files::if_there;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Replacement for a secret. The console log uses the same.
const MASK: &str = "[secret]";
/// Minimum length of a secret in characters. A shorter value may be a word such as `none`, which
/// occurs in any text.
const MIN_SECRET_CHARS: usize = 8;
/// Number of bytes of a file that are read at a time.
const PART: usize = 1 << 16;

/// Creates the set of keys that must be removed from the texts and files of an attempt.
pub(crate) fn secrets_of<T: AsRef<str>>(keys: impl IntoIterator<Item = T>) -> Secrets {
    Secrets::new(MASK, MIN_SECRET_CHARS, keys)
}

/// Files with keys in the folder of an attempt with a model of its own: its home, where programs
/// store logins, and any file or folder whose content or name contains a key.
///
/// The files are removed when this value is dropped.
pub(crate) struct KeyFiles {
    folder: PathBuf,
    home: PathBuf,
    keys: Secrets,
}

impl KeyFiles {
    /// Remover of files with keys from the folder of an attempt. `home`, the agent's home, is
    /// removed as a whole. `None` if there are no `keys`.
    pub(crate) fn for_attempt(folder: &Path, home: PathBuf, keys: &Secrets) -> Option<Self> {
        (!keys.is_empty()).then(|| Self { folder: folder.to_owned(), home, keys: keys.clone() })
    }

    /// Removes the files.
    ///
    /// # Errors
    /// When a file cannot be removed.
    pub(crate) fn remove(&self) -> Result<(), Sentence> {
        let removed = if_there(fs::remove_dir_all(&self.home)).and_then(|_| self.remove_in(&self.folder));
        removed.map_err(|error| {
            say!(
                "the files that the agent left in {} may hold the key of its own model and cannot be removed: {error}",
                self.folder.display()
            )
        })
    }

    fn remove_in(&self, folder: &Path) -> std::io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            let is_named = self.keys.are_in(entry.file_name().as_encoded_bytes());
            if kind.is_dir() && is_named {
                fs::remove_dir_all(&path)?;
            } else if kind.is_dir() {
                self.remove_in(&path)?;
            } else if is_named || kind.is_file() && self.are_in(&path)? {
                fs::remove_file(&path)?;
            }
        }
        Ok(())
    }

    /// Whether a file contains a key. The file may be of any size.
    fn are_in(&self, path: &Path) -> std::io::Result<bool> {
        let (mut file, mut part) = (File::open(path)?, vec![0; PART]);
        let mut search = self.keys.search();
        loop {
            match file.read(&mut part)? {
                0 => return Ok(false),
                read if search.finds(&part[..read]) => return Ok(true),
                _ => {}
            }
        }
    }
}

impl Drop for KeyFiles {
    fn drop(&mut self) {
        // An error of an interrupted attempt cannot be reported.
        let _removed = self.remove();
    }
}

#[cfg(test)]
mod tests;
